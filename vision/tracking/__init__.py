"""Cards over time: what the tracker keeps of each spot."""
