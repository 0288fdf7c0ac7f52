"""The truth that comes with a rendering is where the cards really are in the picture."""

import math

import cv2
import numpy as np
import pytest

from finito.virtual_table.camera import Array, Camera
from finito.virtual_table.render import render
from finito.virtual_table.scene import Card, Clutter, Hand, Scene, Sensor, Surface

CARD_MM = (59.0, 91.0)
PX_PER_MM = 4
MARKED = "9"
HUES = tuple(range(0, 180, 12))
BLACK = Surface("plain", 3, tint=(0.0, 0.0, 0.0))


class PlainDeck:
    """Cards of one strong colour each, told by the face; one has a white patch near its own top left."""

    name = "plain"
    card_mm = CARD_MM

    def face(self, name: str) -> Array:
        hsv = np.full((round(CARD_MM[1] * PX_PER_MM), round(CARD_MM[0] * PX_PER_MM), 3), 255, np.uint8)
        hsv[:, :, 0] = HUES[int(name)]
        picture = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
        if name == MARKED:
            picture[30:70, 30:70] = 255
        return picture

    def back(self, name: str) -> Array:
        return self.face(name)

    def shape_mask(self) -> Array:
        mask = np.zeros((round(CARD_MM[1] * PX_PER_MM), round(CARD_MM[0] * PX_PER_MM)), np.uint8)
        height, width = mask.shape
        radius = 14
        cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
        cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
        for x in (radius, width - 1 - radius):
            for y in (radius, height - 1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1)
        return mask


DECK = PlainDeck()


def random_view(rng: np.random.Generator) -> Camera:
    k1 = float(rng.normal(0, 0.08))
    return Camera(
        size=(640, 360),
        distance=float(rng.uniform(350, 800)),
        tilt=float(rng.uniform(0, 40)),
        heading=float(rng.uniform(0, 360)),
        roll=float(rng.normal(0, 5)),
        field_of_view=float(rng.uniform(40, 70)),
        k1=k1,
        k2=0.5 * k1 * k1,
        p1=float(rng.normal(0, 0.001)),
        p2=float(rng.normal(0, 0.001)),
    )


def edge_offset(brightness: Array, middle: Array, normal: Array) -> float:
    """How far (pixels) from `middle` along `normal` the picture turns from card to table."""
    steps = np.arange(-7, 7.01, 0.25)
    where = (middle + steps[:, None] * normal).astype(np.float32)[None]
    profile = cv2.remap(brightness, where[..., 0], where[..., 1], cv2.INTER_LINEAR)[0]
    inside = profile > profile[:6].mean() / 2
    last = int(np.flatnonzero(inside)[-1])
    low, high = profile[last + 1], profile[last]
    part = (high - profile[:6].mean() / 2) / (high - low)
    return float(steps[last] + 0.25 * part)


def corner_errors(picture: Array, corners: Array) -> list[float]:
    """Edges found by brightness alone, continued to the corners: their distance from the told corners."""
    brightness = picture.max(axis=2).astype(np.float32)
    errors = []
    for i in range(4):
        start, end = corners[i], corners[(i + 1) % 4]
        along = (end - start) / np.linalg.norm(end - start)
        outwards = np.array([along[1], -along[0]])
        parts = np.linspace(0.15, 0.85, 11)
        offsets = [edge_offset(brightness, start + (end - start) * part, outwards) for part in parts]
        curve = np.polynomial.Polynomial.fit(parts, offsets, 2)
        errors += [abs(float(curve(0))), abs(float(curve(1)))]
    return errors


def test_the_told_corners_are_where_the_edges_in_the_picture_meet() -> None:
    rng = np.random.default_rng(1)
    worst: list[float] = []
    while len(worst) < 100:
        bend = float(rng.uniform(-4, 4)) if rng.random() < 0.3 else 0.0
        lift = float(rng.uniform(5, 40)) if not bend and rng.random() < 0.3 else 0.0
        pitch, yaw = (float(v) for v in rng.normal(0, 12, 2)) if lift else (0.0, 0.0)
        x, y = (float(v) for v in rng.normal(0, 40, 2))
        card = Card("a", "face", "5", "5", x, y, float(rng.uniform(0, 360)), 0.0, lift, pitch, yaw, bend)
        shown = render(Scene(camera=random_view(rng), surface=BLACK, cards=(card,)), DECK, clean=True)
        corners = shown.cards[0].corners
        if corners.min() < 9 or (corners.max(axis=0) > np.array([630, 350])).any():
            continue
        worst.append(max(corner_errors(shown.picture, corners)))
    assert max(worst) < 1.0
    assert float(np.mean(worst)) < 0.4


def test_projection_agrees_with_that_of_opencv() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        camera = random_view(rng)
        points = rng.uniform((-150, -100, 0), (150, 100, 60), (12, 3))
        view = camera.view
        flipped = points * np.array([1, 1, -1])
        turn, _ = cv2.Rodrigues(view.rotation)
        move = -view.rotation @ (view.centre * np.array([1, 1, -1]))
        lens = np.array([[camera.focal, 0, 319.5], [0, camera.focal, 179.5], [0, 0, 1]])
        distortion = np.array([camera.k1, camera.k2, camera.p1, camera.p2])
        expected, _ = cv2.projectPoints(flipped, turn, move, lens, distortion)
        assert np.abs(camera.project(points) - expected[:, 0]).max() < 1e-6
        flat = points * np.array([1, 1, 0])
        assert np.abs(view.table_points(camera.project(flat)) - flat[:, :2]).max() < 1e-3


@pytest.mark.parametrize("side", ["face", "back"])
def test_corners_start_at_the_cards_own_top_left_and_run_clockwise(side: str) -> None:
    for angle in (0, 75, 160, 250):
        card = Card("a", side, MARKED, MARKED, 0, 0, angle)
        shown = render(
            Scene(Camera((640, 360), distance=400, tilt=20), BLACK, cards=(card,)), DECK, clean=True
        )
        corners = shown.cards[0].corners
        # The white patch lies between 7.5 and 17.5 mm from the own left and top edge.
        across, down = (corners[1] - corners[0]) / CARD_MM[0], (corners[3] - corners[0]) / CARD_MM[1]
        x, y = np.round(corners[0] + 12.5 * across + 12.5 * down).astype(int)
        assert shown.picture[y, x].min() > 200
        assert across[0] * down[1] - across[1] * down[0] > 0


def shown_by_colour(picture: Array, faces: list[str]) -> dict[str, int]:
    """Pixels of each card, counted by hue alone."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    strong = (hsv[:, :, 1] > 200) & (hsv[:, :, 2] > 20)
    hue = hsv[:, :, 0].astype(int)
    return {
        face: int((strong & (np.abs((hue - HUES[int(face)] + 90) % 180 - 90) <= 4)).sum()) for face in faces
    }


def overlapping_cards(rng: np.random.Generator) -> tuple[Card, ...]:
    places = rng.normal(0, (70, 40), (8, 2))
    return tuple(
        Card(f"c{i}", "face", str(i), str(i), float(x), float(y), float(rng.uniform(0, 360)), 0.35 * i)
        for i, (x, y) in enumerate(places)
    )


def test_visible_fractions_agree_with_polygons_painted_over_each_other() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        cards = overlapping_cards(rng)
        camera = Camera((640, 360), distance=600, tilt=float(rng.uniform(0, 40)), field_of_view=50)
        shown = render(Scene(camera, BLACK, cards=cards), DECK, clean=True)
        fine, paper = 4, np.zeros((360 * 4, 640 * 4), np.uint8)
        areas = []
        for number, truth in enumerate(shown.cards, 1):
            alone = np.zeros_like(paper)
            polygon = np.round(((truth.corners + 0.5) * fine - 0.5) * 16).astype(np.int32)
            cv2.fillConvexPoly(alone, polygon, (1,), shift=4)
            paper[alone > 0] = number
            areas.append(int(alone.sum()))
        for number, truth in enumerate(shown.cards, 1):
            recount = float((paper == number).sum()) / areas[number - 1]
            assert truth.visible == pytest.approx(recount, abs=0.025)


def test_visible_fractions_agree_with_colours_counted_with_and_without_what_hides_them() -> None:
    rng = np.random.default_rng(4)
    camera = Camera((640, 360), distance=620, tilt=15, field_of_view=55)
    for turn in range(5):
        cards = overlapping_cards(rng)
        hand = Hand(turn, float(rng.normal(0, 40)), float(rng.normal(0, 30)), float(rng.uniform(0, 360)), 20)
        spoon = Clutter("spoon", turn, 30.0, 0.0, 40.0, above=True)
        scene = Scene(camera, BLACK, cards=cards, hands=(hand,), clutter=(spoon,))
        shown = render(scene, DECK, clean=True)
        seen = shown_by_colour(shown.picture, [card.face for card in cards])
        for truth in shown.cards:
            alone = render(Scene(camera, BLACK, cards=(truth.card,)), DECK, clean=True)
            whole = shown_by_colour(alone.picture, [truth.face])[truth.face]
            # Pixels on an edge mix two colours: alone they count, on another card they may not.
            assert truth.visible == pytest.approx(seen[truth.face] / whole, abs=0.05)
        assert shown.occluders.any()


def test_a_card_cut_by_the_frame_says_how_much_of_it_is_outside() -> None:
    camera = Camera((640, 360), distance=600, field_of_view=50)
    right_edge = camera.view.table_points(np.array([[639.5, 180]]))[0, 0]
    card = Card("a", "face", "3", "3", float(right_edge), 0.0, z=-0.35)
    truth = render(Scene(camera, BLACK, cards=(card,)), DECK, clean=True).cards[0]
    assert truth.cut_off == pytest.approx(0.5, abs=0.02)
    assert truth.visible == 1.0
    away = Card("a", "face", "3", "3", 2000.0, 0.0)
    gone = render(Scene(camera, BLACK, cards=(away,)), DECK, clean=True).cards[0]
    assert (gone.cut_off, gone.visible) == (1.0, 0.0)


def test_printed_markers_are_found_where_they_lie() -> None:
    camera = Camera((1280, 720), distance=900, tilt=25, k1=-0.05, k2=0.01)
    spots = ((-250.0, -120.0), (250.0, -120.0), (250.0, 150.0), (-250.0, 150.0))
    markers = tuple(Clutter("aruco", i, x, y, 10.0 * i) for i, (x, y) in enumerate(spots))
    sensor = Sensor(noise=3, defocus=0.6, jpeg=80, vignette=0.2)
    scene = Scene(camera, Surface("wood", 5), clutter=markers, sensor=sensor)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(render(scene, DECK).picture)
    assert sorted(ids.ravel().tolist()) == [0, 1, 2, 3]
    for quad, number in zip(corners, ids.ravel().astype(int).tolist(), strict=True):
        cos, sin = math.cos(math.radians(10 * number)), math.sin(math.radians(10 * number))
        square = np.array([[-25, -25], [25, -25], [25, 25], [-25, 25]]) @ np.array([[cos, sin], [-sin, cos]])
        places = np.column_stack([square + np.array(spots[number]), np.full(4, 0.2)])
        assert np.abs(quad[0] - camera.project(places)).max() < 1.5


def test_zones_are_carried_into_the_picture() -> None:
    camera = Camera((640, 360), distance=700, tilt=30, k1=-0.1, k2=0.01)
    zone = ((-40.0, -60.0), (40.0, -60.0), (40.0, 60.0), (-40.0, 60.0))
    card = Card("a", "face", "3", "3", 0.0, 0.0)
    shown = render(Scene(camera, BLACK, cards=(card,), zones={"help1": zone}), DECK)
    outline = shown.zones["help1"].astype(np.float32)
    assert all(cv2.pointPolygonTest(outline, corner.tolist(), False) > 0 for corner in shown.cards[0].corners)
