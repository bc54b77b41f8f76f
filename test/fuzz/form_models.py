"""Random hybrid models and their texts in several forms: what form_difference.py compares."""
import math


def number(value):
    value = value or 0.0  # no -0
    return f"{value:.6g}" if value >= 0 else f"({value:.6g})"


# --- devices ----------------------------------------------------------------------------------------
# Each has an output y (for resets and balls there is none), modes with exits (functions that become
# positive where the mode ends), and texts.

class Guard:
    """a*x_i - b*x_j - level - wave*sin(speed*t)"""

    def __init__(self, rng, size, wave):
        self.i = rng.randrange(size)
        self.j = rng.choice([k for k in range(size) if k != self.i]) if rng.random() < 0.3 else None
        self.level = round(rng.uniform(-0.5, 0.5), 3)
        self.wave = round(rng.uniform(0.2, 0.6), 3) if wave else 0
        self.speed = round(rng.uniform(1, 4), 3)

    def value(self, t, x):
        g = x[self.i] - self.level - self.wave * math.sin(self.speed * t)
        return g - (x[self.j] if self.j is not None else 0)

    def rate(self, t, f):
        g = f[self.i] - self.wave * self.speed * math.cos(self.speed * t)
        return g - (f[self.j] if self.j is not None else 0)

    def text(self):
        g = f"x{self.i}"
        if self.j is not None:
            g += f" - x{self.j}"
        if self.level:
            g += f" - {number(self.level)}"
        if self.wave:
            g += f" - {number(self.wave)}*sin({number(self.speed)}*time)"
        return g


class Writer:
    """Declarations and equations of one text."""

    def __init__(self, rng):
        self.rng, self.declarations, self.equations = rng, [], []
        self.has_silent = False

    def guard(self, name, text):
        """The guard by a name of its own, or as it stands."""
        if self.rng.random() < 0.5:
            self.declarations.append(f"Real {name};")
            self.equations.append(f"{name} = {text};")
            return name
        return f"({text})"


class Relay:
    """y = high where g > 0, low where not; between them where it can leave to no side."""
    forms = 9

    def __init__(self, rng, size, name):
        self.name = name
        self.guard = Guard(rng, size, rng.random() < 0.5)
        self.low, self.high = [round(rng.uniform(-1.5, 1.5), 3) for _ in "ab"]
        self.target = rng.randrange(size)
        if rng.random() < 0.5:  # dry friction
            self.target = self.guard.i
            self.high, self.low = -abs(self.high), abs(self.low)

    def begin(self, t, x):
        self.is_on, self.slides = self.guard.value(t, x) > 0, False

    def output(self, t, x):
        return self.high if self.is_on else self.low

    def exits(self):
        if self.slides:
            return []
        sign = -1 if self.is_on else 1
        return [lambda t, x: sign * self.guard.value(t, x)]

    def fire(self, exit, t, x):
        self.is_on = not self.is_on

    def write(self, w, form, is_on):
        g, y, on = w.guard("g_" + self.name, self.guard.text()), "y_" + self.name, "on_" + self.name
        high, low = number(self.high), number(self.low)
        if form == 0:
            w.equations.append(f"{y} = if {g} > 0 then {high} else {low};")
        elif form == 1:
            w.equations.append(f"{y} = if not {g} <= 0 then {high} else {low};")
        elif form == 2:
            w.declarations.append(f"Boolean {on};")
            w.equations += [f"{on} = {g} > 0;", f"{y} = if {on} then {high} else {low};"]
        elif form == 3:
            w.equations.append(f"if {g} <= 0 then {y} = {low}; else {y} = {high}; end if;")
        elif form == 4:
            w.declarations.append(f"Integer {on};")
            w.equations += [f"{on} = if 0 < {g} then 1 else 0;", f"{y} = {low} + ({high} - {low})*{on};"]
        elif form == 5:
            w.declarations.append(f"Boolean {on}(start = {str(is_on).lower()}, fixed = true);")
            w.equations += [f"when {g} > 0 then {on} = true; elsewhen {g} <= 0 then {on} = false; end when;",
                            f"{y} = if {on} then {high} else {low};"]
        elif form == 6:
            w.has_silent = True
            w.equations.append(f"{y} = ({high} + {low})/2 + ({high} - {low})/2*sign({g});")
        elif form == 7:
            w.declarations.append(f"Boolean {on}(start = {str(is_on).lower()}, fixed = true);")
            w.equations += [f"{on} = if pre({on}) then {g} >= 0 else {g} > 0;",
                            f"{y} = if {on} then {high} else {low};"]
        else:
            w.declarations.append(f"Boolean {on}, off_{self.name};")
            w.equations += [f"off_{self.name} = not {g} > 0;", f"{on} = not off_{self.name};",
                            f"0 = if {on} then {y} - {high} else {y} - {low};"]


class Saturation:
    """y = slope*g between two limits."""
    forms = 6

    def __init__(self, rng, size, name):
        self.name = name
        self.guard = Guard(rng, size, False)
        self.slope = round(rng.uniform(-2, 2), 3)
        self.low, self.high = round(rng.uniform(-0.8, -0.1), 3), round(rng.uniform(0.1, 0.8), 3)
        self.target = rng.randrange(size)

    def begin(self, t, x):
        u = self.slope * self.guard.value(t, x)
        self.zone = 1 if u > self.high else -1 if u < self.low else 0

    def output(self, t, x):
        return (self.low, self.slope * self.guard.value(t, x), self.high)[self.zone + 1]

    def exits(self):
        u = lambda t, x: self.slope * self.guard.value(t, x)
        if self.zone == 1:
            return [lambda t, x: self.high - u(t, x)]
        if self.zone == -1:
            return [lambda t, x: u(t, x) - self.low]
        return [lambda t, x: u(t, x) - self.high, lambda t, x: self.low - u(t, x)]

    def fire(self, exit, t, x):
        self.zone = 0 if self.zone else (1, -1)[exit]

    def write(self, w, form, zone):
        g, y, n = w.guard("g_" + self.name, self.guard.text()), "y_" + self.name, self.name
        high, low, k = number(self.high), number(self.low), number(self.slope)
        u = f"{k}*{g}"
        if form == 0:
            w.equations.append(f"{y} = if {u} > {high} then {high} elseif {u} < {low} then {low} else {u};")
        elif form == 1:
            w.has_silent = True
            w.equations.append(f"{y} = min(max({u}, {low}), {high});")
        elif form == 2:
            w.declarations.append(f"Boolean up_{n}, down_{n};")
            w.equations += [f"up_{n} = {u} > {high};", f"down_{n} = {u} < {low};",
                            f"{y} = if up_{n} then {high} else if down_{n} then {low} else {u};"]
        elif form == 3:
            w.equations.append(f"if not {u} < {high} then {y} = {high}; elseif not {u} > {low} then {y} = {low}; "
                               f"else {y} = {u}; end if;")
        elif form == 4:
            w.declarations.append(f"Integer z_{n}(start = {zone}, fixed = true);")
            w.equations += [f"z_{n} = if {u} >= {high} then 1 else if {u} <= {low} then -1 else 0;",
                            f"{y} = if z_{n} == 1 then {high} else if z_{n} == -1 then {low} else {u};"]
        else:
            w.declarations.append(f"Real s_{n};")
            w.equations += [f"s_{n} = {u};", f"{y} = noEvent(if s_{n} > {high} then {high} else max(s_{n}, {low}));"]
            w.has_silent = True


class Diode:
    """y = max(g, 0)/R: an ideal diode with a resistor in series."""
    forms = 7

    def __init__(self, rng, size, name):
        self.name = name
        self.guard = Guard(rng, size, True)
        self.resistance = round(rng.uniform(0.3, 2), 3)
        self.target = rng.randrange(size)

    def begin(self, t, x):
        self.is_on = self.guard.value(t, x) > 0

    def output(self, t, x):
        return self.guard.value(t, x) / self.resistance if self.is_on else 0.0

    def exits(self):
        sign = -1 if self.is_on else 1
        return [lambda t, x: sign * self.guard.value(t, x)]

    def fire(self, exit, t, x):
        self.is_on = not self.is_on

    def write(self, w, form, is_on):
        g, y, n, R = self.guard.text(), "y_" + self.name, self.name, number(self.resistance)
        if form == 0:
            w.equations.append(f"{y} = if {g} > 0 then ({g})/{R} else 0;")
            return
        if form == 1:
            w.has_silent = True
            w.equations.append(f"{R}*{y} = max({g}, 0);")
            return
        # The current y and the blocking voltage b: g = R*y - b.
        w.declarations.append(f"Real b_{n};")
        w.equations.append(f"{g} = {R}*{y} - b_{n};")
        if form == 6:
            w.equations.append(f"contact(b_{n}, {y});")
            return
        w.declarations.append(f"Real s_{n};")
        if form == 2:
            w.equations.append(f"{y} = if s_{n} > 0 then s_{n} else 0; b_{n} = if s_{n} > 0 then 0 else -s_{n};")
        elif form == 3:
            w.declarations.append(f"Boolean off_{n};")
            w.equations.append(f"off_{n} = s_{n} < 0; {y} = if off_{n} then 0 else s_{n}; "
                               f"b_{n} = if off_{n} then -s_{n} else 0;")
        elif form == 4:
            w.equations.append(f"if s_{n} >= 0 then {y} = s_{n}; b_{n} = 0; else {y} = 0; b_{n} = -s_{n}; end if;")
        else:
            w.has_silent = True
            w.equations.append(f"{y} = max(s_{n}, 0); b_{n} = max(-s_{n}, 0);")


class Hysteresis:
    """y = high once g > width, low once g < -width."""
    forms = 6

    def __init__(self, rng, size, name):
        self.name = name
        self.guard = Guard(rng, size, rng.random() < 0.5)
        self.width = round(rng.uniform(0.05, 0.4), 3)
        self.low, self.high = round(rng.uniform(0, 1.5), 3), round(rng.uniform(-1.5, 0), 3)
        self.target = self.guard.i
        self.starts_on = rng.random() < 0.5

    def begin(self, t, x):
        g = self.guard.value(t, x)
        self.is_on = g > self.width or (self.starts_on and g >= -self.width)

    def output(self, t, x):
        return self.high if self.is_on else self.low

    def exits(self):
        if self.is_on:
            return [lambda t, x: -self.width - self.guard.value(t, x)]
        return [lambda t, x: self.guard.value(t, x) - self.width]

    def fire(self, exit, t, x):
        self.is_on = not self.is_on

    def write(self, w, form, is_on):
        g, y, n = w.guard("g_" + self.name, self.guard.text()), "y_" + self.name, self.name
        high, low, h = number(self.high), number(self.low), number(self.width)
        start = "true" if is_on else "false"
        on = f"on_{n}"
        w.declarations.append(f"Boolean {on}(start = {start}, fixed = true);")
        w.equations.append(f"{y} = if {on} then {high} else {low};")
        w.equations.append([
            f"{on} = if pre({on}) then {g} >= -{h} else {g} > {h};",
            f"{on} = {g} > {h} or (pre({on}) and not {g} < -{h});",
            f"when {g} > {h} then {on} = true; elsewhen {g} < -{h} then {on} = false; end when;",
            f"when not {g} >= -{h} then {on} = false; elsewhen not {g} <= {h} then {on} = true; end when;",
            f"{on} = not ({g} < -{h} or (not pre({on}) and {g} <= {h}));",
            f"when {{{g} > {h}, {g} < -{h}}} then {on} = {g} > 0; end when;",
        ][form])


class Reset:
    """x_i goes back to `to` where it rises above `level`."""
    forms = 6

    def __init__(self, rng, size, name):
        self.name = name
        self.i = rng.randrange(size)
        self.level, self.to = round(rng.uniform(0.3, 0.7), 3), round(rng.uniform(-0.6, -0.1), 3)
        self.target = None

    def begin(self, t, x):
        self.is_above = x[self.i] > self.level

    def exits(self):
        sign = -1 if self.is_above else 1
        return [lambda t, x: sign * (x[self.i] - self.level)]

    def fire(self, exit, t, x):
        if not self.is_above:
            x[self.i] = self.to
        else:
            self.is_above = False

    def write(self, w, form, is_above):
        x, b = f"x{self.i}", f"b_{self.name}"
        level, to = number(self.level), number(self.to)
        act = f"reinit({x}, {to}); end when;"
        if form in (2, 3, 5):
            w.declarations.append(f"Boolean {b}(start = {str(is_above).lower()}, fixed = true);")
        w.equations.append([
            f"when {x} > {level} then {act}",
            f"when not {x} <= {level} then {act}",
            f"{b} = {x} > {level}; when {b} then {act}",
            f"{b} = {x} >= {level}; when edge({b}) then {act}",
            f"when {x} - {level} >= 0 then {act}",
            f"{b} = {level} < {x}; when change({b}) and {b} then {act}",
        ][form])


class Ball:
    """Two states of its own: a height and a speed, with gravity and a bounce."""
    forms = 4

    def __init__(self, rng, size, name):
        self.name, self.h, self.v = name, size, size + 1
        self.e = round(rng.uniform(0.7, 1), 3)
        self.g = round(rng.uniform(1, 4), 3)
        self.target = None
        self.drop = round(rng.uniform(0.3, 1), 3)

    def begin(self, t, x):
        pass

    def exits(self):
        return [lambda t, x: -x[self.h]]

    def fire(self, exit, t, x):
        x[self.h], x[self.v] = 0.0, -self.e * x[self.v]

    def write(self, w, form, _):
        h, v, e = f"x{self.h}", f"x{self.v}", number(self.e)
        if form == 3:
            w.declarations.append(f"Real F_{self.name};")
            w.equations.append(f"contact({h}, F_{self.name}, {e});")
            return f"F_{self.name}"
        w.equations.append([
            f"when {h} <= 0 then reinit({v}, -{e}*pre({v})); end when;",
            f"when {h} < 0 then reinit({v}, -{e}*pre({v})); end when;",
            f"when not {h} > 0 then reinit({v}, -{e}*{v}); end when;",
        ][form])
        return None


class Source:
    """y = before, and after a time another value."""
    forms = 4

    def __init__(self, rng, size, name):
        self.name = name
        self.time = round(rng.uniform(0.2, 2), 3)
        self.before, self.after = [round(rng.uniform(-1, 1), 3) for _ in "ab"]
        self.target = rng.randrange(size)

    def begin(self, t, x):
        self.is_after = False

    def output(self, t, x):
        return self.after if self.is_after else self.before

    def exits(self):
        return [] if self.is_after else [lambda t, x: t - self.time]

    def fire(self, exit, t, x):
        self.is_after = True

    def write(self, w, form, _):
        y, b, t = "y_" + self.name, number(self.before), number(self.time)
        a = number(self.after)
        if form == 3:
            w.declarations.append(f"discrete Real d_{self.name}(start = {b}, fixed = true);")
        w.equations.append([
            f"{y} = if time < {t} then {b} else {a};",
            f"{y} = if not time >= {t} then {b} else {a};",
            f"if time > {t} then {y} = {a}; else {y} = {b}; end if;",
            f"when time >= {t} then d_{self.name} = {a}; end when; {y} = d_{self.name};",
        ][form])


# --- models -----------------------------------------------------------------------------------------

class Model:
    def __init__(self, rng):
        self.size = rng.randint(2, 3)
        kinds = [Relay, Relay, Saturation, Diode, Hysteresis, Reset, Source]
        self.devices = [rng.choice(kinds)(rng, self.size, f"{k}") for k in range(rng.randint(1, 3))]
        # One reset only for a state: two at one instant need an order.
        resets = set()
        self.devices = [d for d in self.devices
                        if not isinstance(d, Reset) or not (d.i in resets or resets.add(d.i))]
        self.ball = Ball(rng, self.size, "ball") if rng.random() < 0.3 else None
        if self.ball:
            self.devices.append(self.ball)
        self.damping = [round(rng.uniform(0.1, 1.5), 3) for _ in range(self.size)]
        self.coupling = [round(rng.uniform(-1, 1), 3) for _ in range(self.size)]
        self.drive = [(round(rng.uniform(-2, 2), 3), round(rng.uniform(1, 5), 3), round(rng.uniform(0, 3), 3))
                      for _ in range(self.size)]
        self.start = [round(rng.uniform(-0.9, 0.9), 3) for _ in range(self.size)]
        if self.ball:
            self.start += [self.ball.drop, 0.0]
        self.stop = 3.0

    def smooth(self, t, x):
        f = []
        for i in range(self.size):
            a, w, p = self.drive[i]
            f.append(-self.damping[i] * x[i] + self.coupling[i] * x[(i + 1) % self.size] + a * math.sin(w * t + p))
        if self.ball:
            f += [x[self.ball.v], -self.ball.g]
        return f

    def text(self, rng, is_first, starts):
        """In a form of its own; whether all devices are written with events."""
        w = Writer(rng)
        outputs = {i: "" for i in range(self.size)}
        force = None
        for device, start in zip(self.devices, starts):
            form = 0 if is_first else rng.randrange(device.forms)
            made = device.write(w, form, start)
            force = made or force
            if device.target is not None:
                w.declarations.append(f"Real y_{device.name};")
                outputs[device.target] += f" + y_{device.name}"
        for i in range(self.size):
            a, s, p = map(number, self.drive[i])
            w.equations.append(
                f"der(x{i}) = -{number(self.damping[i])}*x{i} + {number(self.coupling[i])}*x{(i + 1) % self.size}"
                f" + {a}*sin({s}*time + {p}){outputs[i]};")
        if self.ball:
            w.equations.append(f"der(x{self.ball.h}) = x{self.ball.v};")
            w.equations.append(f"der(x{self.ball.v}) = -{number(self.ball.g)}" + (f" + {force};" if force else ";"))
        if not is_first:
            rng.shuffle(w.equations)
        lines = ["model M"]
        lines += [f"  Real x{i}(start = {v!r}, fixed = true);" for i, v in enumerate(self.start)]
        lines += ["  " + text for text in w.declarations] + ["equation"] + ["  " + text for text in w.equations]
        lines += [f"  annotation(experiment(StopTime = {self.stop!r}));", "end M;", ""]
        return "\n".join(lines), not w.has_silent
