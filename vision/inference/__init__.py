"""From looks to actions: beliefs on what lies where, and the worlds that would explain what changed."""
