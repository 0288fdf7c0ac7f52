"""Art for invented decks: inks, letters, motifs, textures, faces and backs, all from one seed."""
