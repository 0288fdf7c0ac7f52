"""Finito: the application around the referee (command line, web, storage, virtual table)."""

__version__ = "0.1.0"
