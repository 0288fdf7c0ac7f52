"""The parts of the pipeline: from a frame to what lies where."""
