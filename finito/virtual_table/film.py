"""Films a table: what rests is painted once and again only where it changed; hands are painted each frame."""

from collections.abc import Iterable

from finito.virtual_table.camera import Array
from finito.virtual_table.card_painter import Footprint, card_rect, paint_card, paint_pile_shadow
from finito.virtual_table.clutter import clutter_rect, paint_clutter
from finito.virtual_table.decals import Decal, DeckArt, deck_decals
from finito.virtual_table.hands import paint_hand
from finito.virtual_table.lighting import Lamp, lamps
from finito.virtual_table.painter import Canvas, Rect, empty, meet
from finito.virtual_table.render import blank, count_ids, pile_tops, side_up, truth, zones_in_picture
from finito.virtual_table.scene import Card, CardTruth, Rendered, Scene
from finito.virtual_table.sensor import expose


class Film:
    """Renders scene after scene. A card keeps its number in `ids` by its name, which must be unique."""

    def __init__(self, deck: DeckArt) -> None:
        self._deck = deck
        self._decals = deck_decals(deck)
        self._numbers: dict[str, int] = {}
        self._setting: object = None
        self._cards: tuple[Card, ...] = ()
        self._tops: list[Card] = []
        self._rects: dict[Card, Rect] = {}
        self._prints: dict[Card, Footprint] = {}
        self._zones: dict[str, Array] = {}

    def frame(self, scene: Scene, clean: bool = False) -> Rendered:
        """The next picture of the film, as `render` would take it."""
        light = lamps(scene)
        self._rest(scene, light)
        view = scene.camera.view
        table = self._resting
        canvas = Canvas(view, table.picture.copy(), table.ids.copy(), table.clip)
        seen: list[tuple[Card, Footprint]] = [(card, self._prints[card]) for card in scene.cards]
        for hand in scene.hands:
            held = [(card, self._number(card)) for card in hand.held]
            prints = paint_hand(canvas, hand, held, self._side_up, light)
            seen += [(card, prints[number]) for card, number in held]
        counts = count_ids(canvas.ids, len(self._numbers))
        truths = tuple(self._truth(card, footprint, counts) for card, footprint in seen)
        picture = canvas.picture if clean else expose(view, scene, canvas.picture, canvas.ids)
        name = str(getattr(self._deck, "name", ""))
        return Rendered(picture, canvas.ids, truths, dict(self._zones), scene, name)

    def _truth(self, card: Card, footprint: Footprint, counts: Array) -> CardTruth:
        number = self._number(card)
        return truth(card, number, footprint, int(counts[number]))

    def _number(self, card: Card) -> int:
        return self._numbers.setdefault(card.name, len(self._numbers) + 1)

    def _side_up(self, card: Card) -> Decal:
        return side_up(self._decals, card)

    def _rest(self, scene: Scene, light: tuple[Lamp, ...]) -> None:
        """Bring the picture of all that rests up to date."""
        places = tuple((lamp.x, lamp.y, lamp.z, lamp.size) for lamp in scene.lights)
        setting = (scene.camera, scene.surface, scene.floor, scene.clutter, places)
        if setting != self._setting:
            self._setting = setting
            self._start(scene, light)
        if scene.cards == self._cards:
            return
        changed = self._changed(scene)
        self._tops = pile_tops(scene.cards)
        for rect in changed:
            self._repaint(scene, rect, light, scene.cards)
        for card in scene.cards:
            if card not in self._prints:  # it lies outside the frame
                self._prints[card] = paint_card(
                    self._resting, self._side_up(card), card, self._number(card), light
                )
        self._cards = scene.cards
        kept = set(scene.cards)
        self._rects = {card: rect for card, rect in self._rects.items() if card in kept}
        self._prints = {card: footprint for card, footprint in self._prints.items() if card in kept}

    def _start(self, scene: Scene, light: tuple[Lamp, ...]) -> None:
        self._empty = blank(scene.camera.view, scene)
        for thing in scene.clutter:
            if not thing.above:
                paint_clutter(self._empty, thing, light)
        table = self._empty
        self._resting = Canvas(table.view, table.picture.copy(), table.ids.copy(), table.clip)
        self._cards = ()
        self._tops = []
        self._rects.clear()
        self._prints.clear()
        self._zones = dict(zones_in_picture(table.view, scene.zones))
        self._repaint(scene, table.clip, light, ())

    def _changed(self, scene: Scene) -> list[Rect]:
        """Rectangles of the picture in which cards came, went or changed places in the stack."""
        old, new = set(self._cards), set(scene.cards)
        stayed = [card for card in self._cards if card in new]
        if stayed != [card for card in scene.cards if card in old]:
            return [self._resting.clip]
        moved = (old ^ new) | (set(self._tops) ^ set(pile_tops(scene.cards)))
        return _merged(meet(self._rect(card), self._resting.clip) for card in moved)

    def _rect(self, card: Card) -> Rect:
        if card not in self._rects:
            self._rects[card] = card_rect(self._resting.view, card, self._side_up(card))
        return self._rects[card]

    def _repaint(self, scene: Scene, rect: Rect, light: tuple[Lamp, ...], cards: tuple[Card, ...]) -> None:
        if empty(rect):
            return
        canvas = self._resting.clipped(rect)
        x0, y0, x1, y1 = canvas.clip
        canvas.picture[y0:y1, x0:x1] = self._empty.picture[y0:y1, x0:x1]
        canvas.ids[y0:y1, x0:x1] = self._empty.ids[y0:y1, x0:x1]
        near = [card for card in cards if not empty(meet(self._rect(card), rect))]
        for card in self._tops:
            if not empty(meet(self._rect(card), rect)):
                paint_pile_shadow(canvas, self._side_up(card), card, light)
        for card in near:
            footprint = paint_card(canvas, self._side_up(card), card, self._number(card), light)
            self._prints.setdefault(card, footprint)
        for thing in scene.clutter:
            if thing.above and not empty(meet(clutter_rect(canvas, thing), rect)):
                paint_clutter(canvas, thing, light)


def _merged(rects: Iterable[Rect]) -> list[Rect]:
    """Rectangles that overlap become one, so that nothing is painted twice."""
    apart: list[Rect] = []
    for rect in rects:
        if empty(rect):
            continue
        whole = rect
        while touching := [one for one in apart if not empty(meet(one, whole))]:
            for one in touching:
                apart.remove(one)
                whole = _joined(whole, one)
        apart.append(whole)
    return apart


def _joined(a: Rect, b: Rect) -> Rect:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])
