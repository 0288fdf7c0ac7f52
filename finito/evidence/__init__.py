"""Pictures of what was called: a clip of three seconds and a still with the rule in words."""
