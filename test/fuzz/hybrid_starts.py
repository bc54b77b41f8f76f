"""Random starts of hybrid models: several parts beside each other, each with a rule that Python knows.

  Curve    two positions on a curve, their velocities, a multiplier; bounds, StateSelect, fixed values
  Choice   a variable that depends on a switch, alone or in a loop with it
  Store    levels whose weighted sum is given, flows between them
  Memory   discrete and Boolean variables, initial equations that say what they are

Parts are coupled by what flows from one into the rates of the next, as arrays, with equations in any order. Claims, by own
formulas:
  - all equations hold at the start, hidden ones too, with the branch that the point asks for,
  - start values that agree stay, and of those that do not as many stay as can in each part; where none can, the nearest
    point is taken (a fine search in Python finds none that is nearer than 1/1.001 of it),
  - what moved is told, and nothing else,
  - simulate by auto, taylor and ida begins there, dump and analyze too, and check and partition accept the model.

  python3 test/fuzz/hybrid_starts.py TOOL [COUNT [SEED]]
"""
import json
import math
import os
import random
import sys
import tempfile

from random_starts import compare, run

CLOSE = 1e-6


class Curve:
    """a x^2 + b y^2 + c x y + e x = r at a point that was drawn, with the curve's tangent for the velocities."""

    def __init__(self, r, tag):
        self.names = [f"{tag}x", f"{tag}y"]
        self.rates = [f"{tag}u", f"{tag}v"]
        self.a, self.b = r.uniform(0.5, 2), r.uniform(0.5, 2)
        self.c, self.e = r.uniform(-0.4, 0.4), r.uniform(-0.5, 0.5)
        self.true = (r.uniform(-2, 2), r.uniform(-2, 2))
        self.r = self.level(*self.true)
        self.agrees = r.random() < 0.4
        self.guess = self.true if self.agrees else tuple(t + r.gauss(0, r.choice([0.01, 0.3, 1])) for t in self.true)
        self.bounds = [(-math.inf, math.inf)] * 2
        if r.random() < 0.3:
            k = r.randint(0, 1)
            self.bounds[k] = (self.true[k] - r.uniform(0.05, 1), self.true[k] + r.uniform(0.05, 1))
        self.selects = [r.choice(["", "", "prefer", "avoid", "always"]) for _ in range(2)]
        self.has_speed = r.random() < 0.5
        self.speed = self.speed_guess(r)
        self.force = f"{tag}l"

    def speed_guess(self, r):
        gx, gy = self.slope(*self.true)
        s = r.uniform(-2, 2)
        return (-gy * s, gx * s)

    def level(self, x, y):
        return self.a * x * x + self.b * y * y + self.c * x * y + self.e * x

    def slope(self, x, y):
        return 2 * self.a * x + self.c * y + self.e, 2 * self.b * y + self.c * x

    def text(self):
        declared = []
        for k, name in enumerate(self.names):
            words = [f"start={self.guess[k]!r}"]
            low, high = self.bounds[k]
            if low > -math.inf:
                words += [f"min={low!r}", f"max={high!r}"]
            if self.selects[k]:
                words.append(f"stateSelect=StateSelect.{self.selects[k]}")
            declared.append(f"Real {name}({', '.join(words)});")
        for k, name in enumerate(self.rates):
            declared.append(f"Real {name}(start={self.speed[k]!r});" if self.has_speed else f"Real {name};")
        (x, y), (u, v), force = self.names, self.rates, self.force
        return declared + [f"Real {force};"], [
            f"der({x})={u};", f"der({y})={v};",
            f"der({u})=-{force}*({2 * self.a!r}*{x}+({self.c!r})*{y}+({self.e!r}));",
            f"der({v})=-{force}*({2 * self.b!r}*{y}+({self.c!r})*{x})-1;",
            f"{self.a!r}*{x}^2+{self.b!r}*{y}^2+({self.c!r})*{x}*{y}+({self.e!r})*{x}={self.r!r};"]

    def output(self):
        return self.names[0]

    def within(self, x, y):
        return all(low - 1e-9 <= value <= high + 1e-9 for (low, high), value in zip(self.bounds, (x, y)))

    def roots(self, k):
        """Points of the curve with coordinate k at its guess, within bounds, but for double ones."""
        g = self.guess[k]
        if k == 0:
            p, q, s = self.b, self.c * g, self.a * g * g + self.e * g - self.r
        else:
            p, q, s = self.a, self.c * g + self.e, self.b * g * g - self.r
        d = q * q - 4 * p * s
        if d <= 0:
            return []
        points = []
        for sign in (-1, 1):
            other = (-q + sign * math.sqrt(d)) / (2 * p)
            point = (g, other) if k == 0 else (other, g)
            if self.within(*point):
                points.append(point)
        return points

    def nearest(self, distance):
        best = math.inf
        center = -self.e * 2 * self.b / (4 * self.a * self.b - self.c ** 2), self.e * self.c / (4 * self.a * self.b - self.c ** 2)
        for k in range(5000):
            angle = 2 * math.pi * k / 5000
            dx, dy = math.cos(angle), math.sin(angle)
            q = self.a * dx * dx + self.b * dy * dy + self.c * dx * dy
            radius = math.sqrt(max(0, (self.r - self.level(*center)) / q))
            x, y = center[0] + radius * dx, center[1] + radius * dy
            if self.within(x, y):
                best = min(best, distance(x, y))
        return best

    def of_positions(self, x, y):
        return math.dist((x, y), self.guess)

    def of_all(self, x, y):
        """From all guesses: of the velocities counts what leaves the curve."""
        gx, gy = self.slope(x, y)
        return math.hypot(self.of_positions(x, y), (gx * self.speed[0] + gy * self.speed[1]) / math.hypot(gx, gy))

    def faults(self, at):
        x, y = (at[n] for n in self.names)
        u, v = (at[n] for n in self.rates)
        size = 1 + x * x + y * y
        faults = []
        if abs(self.level(x, y) - self.r) > CLOSE * size:
            faults.append(f"{self.names} are not on their curve")
        gx, gy = self.slope(x, y)
        if abs(gx * u + gy * v) > CLOSE * size * (1 + abs(u) + abs(v)):
            faults.append(f"{self.rates} leave their curve")
        if not self.within(x, y):
            faults.append(f"{self.names} leave their bounds")
        stay = [abs(value - guess) <= 1e-9 * max(1, abs(guess)) for value, guess in zip((x, y), self.guess)]
        if self.agrees:
            if not all(stay) or self.has_speed and math.dist((u, v), self.speed) > 1e-8 * (1 + math.hypot(u, v)):
                faults.append(f"{self.names}, {self.rates} agreed and moved")
        elif not any(stay):
            faults += self.release_faults(x, y, u, v)
        return faults

    def release_faults(self, x, y, u, v):
        # A held value must leave a root that is no double one, well within the bounds.
        wanted = [k for k in range(2) if len(self.roots(k)) == 2]
        if len(wanted) == 2 and all(self.within(*g) for g in [self.guess]):
            return [f"{self.names} moved both, and each could stay"]
        # Velocities count where a bound is left, which they can move, and else only by themselves.
        measures = [(self.of_positions(x, y), self.of_positions)]
        if self.has_speed:
            measures.append((math.dist((x, y, u, v), self.guess + self.speed), self.of_all))
        if all(found > 1.001 * self.nearest(distance) + 1e-6 for found, distance in measures):
            return [f"{self.names} are {measures[0][0]} from their guesses, {self.nearest(self.of_positions)} is possible"]
        return []

    def given(self):
        pairs = dict(zip(self.names, self.guess))
        return {**pairs, **dict(zip(self.rates, self.speed))} if self.has_speed else pairs


class Choice:
    """y = if s > c then p + q s else p' + q' s, or in a loop: y = 2 s + p - (if y > c then h (y - c) else 0)."""

    def __init__(self, r, tag):
        self.s, self.y, self.b = f"{tag}s", f"{tag}y", f"{tag}b"
        self.guess = r.uniform(-2, 2)
        self.edge = r.choice([self.guess + r.uniform(-1, 1), self.guess])
        self.coefficients = [round(r.uniform(-3, 3), 3) for _ in range(4)]
        self.is_loop = r.random() < 0.4
        self.jump = -r.uniform(0.1, 2)  # of the slope, by which the loop has one root
        self.form = r.randint(0, 2)
        self.fixed = r.random() < 0.5
        self.y_guess = r.uniform(-5, 5) if r.random() < 0.5 else None

    def text(self):
        p, q, p2, q2 = self.coefficients
        condition = f"{self.s} > {self.edge!r}"
        equations = []
        if self.is_loop:
            condition = f"{self.y} > {self.edge!r}"
            equations = [f"{self.y}=2*{self.s}+({p})-(if {condition} then {-self.jump!r}*({self.y}-({self.edge!r})) else 0);"]
        else:
            branches = f"{p}+({q})*{self.s}", f"{p2}+({q2})*{self.s}"
            if self.form == 0:
                equations = [f"{self.y}=if {condition} then {branches[0]} else {branches[1]};"]
            elif self.form == 1:
                equations = [f"if {condition} then {self.y}={branches[0]}; else {self.y}={branches[1]}; end if;"]
            else:
                equations = [f"{self.b} = not ({self.s} <= {self.edge!r});", f"{self.y}=if {self.b} then {branches[0]} else {branches[1]};"]
        declared = [f"Real {self.s}(start={self.guess!r}{', fixed=true' if self.fixed else ''});",
                    f"Real {self.y}(start={self.y_guess!r});" if self.y_guess is not None else f"Real {self.y};"]
        if not self.is_loop and self.form == 2:
            declared.append(f"Boolean {self.b};")
        return declared, equations + [f"der({self.s})=0.3*{self.y}+IN;"]

    def output(self):
        return self.y

    def faults(self, at):
        s, y = at[self.s], at[self.y]
        p, q, p2, q2 = self.coefficients
        faults = []
        if abs(s - self.guess) > 1e-9 * max(1, abs(s)):
            faults.append(f"{self.s} moved")
        if self.is_loop:
            wanted = 2 * s + p
            if wanted > self.edge:  # y - edge = (wanted - edge)/(1 - jump)
                wanted = self.edge + (wanted - self.edge) / (1 - self.jump)
        else:
            wanted = p + q * s if s > self.edge else p2 + q2 * s
        if abs(y - wanted) > CLOSE * (1 + abs(wanted)):
            faults.append(f"{self.y} is {y}, not {wanted}")
        return faults

    def given(self):
        return {self.s: self.guess, **({self.y: self.y_guess} if self.y_guess is not None else {})}


class Store:
    """h[1] + w2 h[2] + .. = total: all but the last declared one that may follow stay."""

    def __init__(self, r, tag):
        self.count = r.randint(2, 4)
        self.h, self.q = f"{tag}h", f"{tag}q"
        self.weights = [round(r.uniform(0.5, 2), 3) for _ in range(self.count)]
        self.total = round(r.uniform(1, 5), 3)
        self.guess = [r.uniform(0.1, 2) for _ in range(self.count)]
        self.agrees = r.random() < 0.4
        if self.agrees:
            rest = self.total - sum(w * h for w, h in zip(self.weights[1:], self.guess[1:]))
            self.guess[0] = rest / self.weights[0]
        self.high = r.uniform(2, 4) if r.random() < 0.4 and max(self.guess) < 2 and not self.agrees else None

    def text(self):
        limit = f", each max={self.high!r}" if self.high else ""
        values = ", ".join(repr(g) for g in self.guess)
        declared = [f"Real {self.h}[{self.count}](start={{{values}}}{limit});", f"Real {self.q};"]
        total = "+".join(f"{w}*{self.h}[{k + 1}]" for k, w in enumerate(self.weights))
        equations = [f"{total}={self.total};"]
        for k in range(1, self.count):
            equations.append(f"der({self.h}[{k + 1}])={self.q}*{k}-0.1*{self.h}[{k + 1}];")
        return declared, equations + [f"{self.q}-0.2*der({self.h}[1])=IN;"]

    def output(self):
        return f"{self.h}[1]"

    def faults(self, at):
        h = [at[f"{self.h}[{k + 1}]"] for k in range(self.count)]
        faults = []
        if abs(sum(w * v for w, v in zip(self.weights, h)) - self.total) > CLOSE * (1 + sum(map(abs, h))):
            faults.append(f"{self.h} has another sum")
        moved = sum(abs(v - g) > 1e-9 * max(1, abs(g)) for v, g in zip(h, self.guess))
        if self.agrees and moved:
            faults.append(f"{self.h} agreed and moved")
        if not self.high and moved > 1:
            faults.append(f"{self.h} moved {moved} values, one is enough")
        if self.high and max(h) > self.high + 1e-9:
            faults.append(f"{self.h} leaves its bound")
        return faults

    def given(self):
        return {f"{self.h}[{k + 1}]": g for k, g in enumerate(self.guess)}


class Memory:
    """A discrete d, an Integer n, a Boolean on; the start of z follows from d or d from z."""

    def __init__(self, r, tag):
        self.d, self.n, self.on, self.z = f"{tag}d", f"{tag}n", f"{tag}on", f"{tag}z"
        self.start = round(r.uniform(-2, 2), 3)
        self.number = r.randint(-3, 3)
        self.is_from_d = r.random() < 0.5
        self.z_guess = round(r.uniform(-2, 2), 3)
        self.edge = round(r.uniform(-2, 2), 3)

    def text(self):
        if self.is_from_d:
            initial = f"{self.z} = 2*{self.d}-1;"
            first = f"discrete Real {self.d}(start={self.start}, fixed=true);"
        else:
            initial = f"{self.d} = 2*{self.z}-1;"
            first = f"discrete Real {self.d};"
        declared = [first, f"Integer {self.n}(start={self.number}, fixed=true);", f"Boolean {self.on};",
                    f"Real {self.z}(start={self.z_guess}{'' if self.is_from_d else ', fixed=true'});", f"Real {self.z}w;"]
        return declared, [f"{self.on} = {self.z} > {self.edge};", f"{self.z}w = if {self.on} then {self.n} else {self.d};",
                          f"der({self.z}) = {self.z}w + IN;", f"when {self.z} > 1e3 then {self.d} = 7; {self.n} = pre({self.n})+1; end when;",
                          "INITIAL" + initial]

    def output(self):
        return f"{self.z}w"

    def faults(self, at):
        z = 2 * self.start - 1 if self.is_from_d else self.z_guess
        d = self.start if self.is_from_d else 2 * z - 1
        wanted = {self.z: z, self.d: d, self.n: self.number, f"{self.z}w": self.number if z > self.edge else d}
        return [f"{name} is {at[name]}, not {value}" for name, value in wanted.items()
                if abs(at[name] - value) > CLOSE * (1 + abs(value))]

    def given(self):
        return {self.z: self.z_guess}


class Problem:
    def __init__(self, seed):
        r = random.Random(seed)
        self.parts = [r.choice([Curve, Curve, Choice, Store, Memory])(r, f"p{k}") for k in range(r.randint(1, 4))]
        declared, equations, initial = [], [], []
        source = "sin(time)"
        for part in self.parts:
            variables, rules = part.text()
            declared += variables
            for rule in rules:
                rule = rule.replace("IN;", f"0.1*{source};") if "INITIAL" not in rule else rule
                (initial if rule.startswith("INITIAL") else equations).append(rule.removeprefix("INITIAL"))
            source = part.output()
        r.shuffle(equations)
        r.shuffle(initial)
        head = ["initial equation", *initial] if initial else []
        self.text = "\n".join(["model m", *declared, *head, "equation", *equations, "end m;", ""])

    def faults_of(self, found):
        at = {name: values[0] for name, values in found["values"].items()}
        faults = [fault for part in self.parts for fault in part.faults(at)]
        told = {entry["variable"] for entry in found["moved"]}
        for part in self.parts:
            for name, guess in part.given().items():
                moves = abs(at[name] - guess) > 1e-8 * max(1, abs(guess))
                if moves != (name in told) and abs(at[name] - guess) > 1e-7 * max(1, abs(guess)):
                    faults.append(f"{name} moved from {guess} to {at[name]} and nobody says so")
        return faults


def judge(tool, path, problem):
    with open(path, "w") as handle:
        handle.write(problem.text)
    found = run(tool, "init", path, "--format", "json")
    if found.returncode != 0:
        return [f"init ends with {found.returncode}: {found.stderr[:300]}"]
    data = json.loads(found.stdout)
    faults = problem.faults_of(data)
    point = {name: values[0] for name, values in data["values"].items()}
    faults += compare(tool, path, found, point, ("auto", "taylor", "ida"))
    for words in (["check", path], ["analyze", path, "--jacobian"], ["partition", path, "--point", "consistent"]):
        result = run(tool, *words)
        if result.returncode != 0:
            faults.append(f"{words[0]} ends with {result.returncode}: {result.stderr[:200]}")
    shown = run(tool, "dump", "--stage", "state", path)
    if shown.returncode != 0 or json.loads(shown.stdout)["values"] != data["values"]:
        faults.append("dump shows another state")
    return faults


def main():
    tool = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    num_faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for k in range(seed, seed + count):
            problem = Problem(k)
            faults = judge(tool, os.path.join(folder, "m.mo"), problem)
            if faults:
                num_faults += 1
                print(f"seed {k}:", *faults, problem.text, sep="\n  ")
    print(f"{count} hybrid starts with seeds from {seed}: {num_faults} faults")
    return 1 if num_faults else 0


if __name__ == "__main__":
    sys.exit(main())
