"""The pure rules of the table: no camera, clock, file or network."""
