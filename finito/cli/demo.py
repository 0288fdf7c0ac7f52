"""`finito demo`: placeholder until the bots land."""

import typer


def register(app: typer.Typer) -> None:
    app.command("demo")(demo)


def demo() -> None:
    """Watch a refereed round."""
