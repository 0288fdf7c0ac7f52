"""From the finder net's maps to whole cards."""
