"""Games on the virtual table: bots play, hands move, a camera films."""

from finito.virtual_table.choreography.session import Session, Wish, plan_session, write_session

__all__ = ["Session", "Wish", "plan_session", "write_session"]
