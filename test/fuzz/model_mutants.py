"""Models with a few tokens deleted, doubled, swapped or replaced, through every command of the tool.

A mutant is nonsense or a model that nobody has thought of; the oracle is the contract of the command line:
  - no signal, no exit status but 0, 1, 2, 3; 2 only for a file in which no class or several could be meant,
  - a status other than 0 comes with a text on standard error, status 0 without a line `error:`,
  - what takes long says so.

  python3 test/fuzz/model_mutants.py TOOL COUNT SEED [--keep FOLDER] [--patience SECONDS] [FOLDER_OR_FILE...]
Without folders: models, examples and test/conformance of this project. Mutants that break the contract are printed with
their commands; --keep writes them down.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\s+|<=|>=|<>|==|:=|\.[*/^+-]|.', re.S)
NUMBER = re.compile(r'\d')
WORD = re.compile(r'[A-Za-z_]\w*$')
NUMBERS = ['0', '1', '2', '-1', '1e300', '1e-300', '-1e300', '1e10', '(0/0)', '(1/0)', '9007199254740993', '1e999', '0.5', 'time']
KEYWORDS = ['time', 'der', 'pre', 'if', 'then', 'else', 'elseif', 'end', 'when', 'for', 'loop', 'in', 'while', 'sample', 'delay', 'initial',
            'terminal', 'model', 'function', 'record', 'connector', 'block', 'package', 'Real', 'Integer', 'Boolean', 'String', 'parameter',
            'constant', 'discrete', 'input', 'output', 'flow', 'equation', 'algorithm', 'protected', 'true', 'false', 'noEvent', 'abs', 'sqrt',
            'log', 'mod', 'reinit', 'assert', 'connect', 'extends', 'each', 'final', 'fixed', 'start', 'min', 'max', 'nominal', 'contact',
            'annotation', 'experiment', 'and', 'or', 'not']
ARITHMETIC, RELATIONS = ['+', '-', '*', '/', '^'], ['<', '>', '<=', '>=']
SIGNS = ['+', '-', '*', '/', '^', '<', '>', '<=', '>=', '==', '<>', '=', ':=', '(', ')', '[', ']', '{', '}', ',', ';', ':', '.']
COMMANDS = [['check'], ['flatten'], ['analyze'], ['init'], ['partition'], ['dump', '--stage', 'structure'], ['dump', '--stage', 'program'],
            ['simulate'], ['simulate', '--solver', 'ida'], ['simulate', '--solver', 'taylor', '--tolerance', '1e-9'],
            ['simulate', '--tolerance', '1e-3', '--points', '3']]


def replace_one(tokens, where, choices, random_):
    if where and choices:
        tokens[random_.choice(where)] = random_.choice(choices)


def mutate_gently(tokens, places, random_):
    """Numbers, operators and names change places with their like: most of it is still a model."""
    kind = random_.random()
    if kind < 0.5:
        replace_one(tokens, [i for i in places if NUMBER.match(tokens[i])], NUMBERS, random_)
    elif kind < 0.75:
        alike = random_.choice([ARITHMETIC, RELATIONS])
        replace_one(tokens, [i for i in places if tokens[i] in alike], alike, random_)
    else:
        names = [i for i in places if WORD.match(tokens[i]) and tokens[i] not in KEYWORDS]
        replace_one(tokens, names, sorted({tokens[i] for i in names}) + ['time'], random_)


def mutate_wildly(tokens, places, random_):
    at, other = random_.choice(places), random_.choice(places)
    kind = random_.random()
    if kind < 0.2:
        replace_one(tokens, [i for i in places if WORD.match(tokens[i])], KEYWORDS, random_)
    elif kind < 0.4:
        replace_one(tokens, [i for i in places if tokens[i] in SIGNS], SIGNS, random_)
    elif kind < 0.55:
        tokens[at] = ''
    elif kind < 0.7:
        tokens[at] = tokens[at] + ' ' + tokens[at]
    elif kind < 0.85:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    else:  # a whole statement
        lines = ''.join(tokens).split(';')
        i, j = random_.randrange(len(lines)), random_.randrange(len(lines))
        lines[i] = random_.choice([lines[j], '', lines[i] + ';' + lines[i]])
        tokens[:] = TOKEN.findall(';'.join(lines))


def mutate(text, random_):
    tokens = TOKEN.findall(text)
    change = mutate_gently if random_.random() < 0.75 else mutate_wildly
    for _ in range(random_.choice([1, 1, 1, 2, 3])):
        places = [i for i, token in enumerate(tokens) if token and not token.isspace() and not token.startswith(('//', '/*'))]
        if places:
            change(tokens, places, random_)
    return ''.join(tokens)


def run(command, patience):
    """Exit status, standard error, seconds; the status is None if the patience was at an end."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        _, err = process.communicate(timeout=patience)
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        _, err = process.communicate()
        status = None
    return status, err.decode(errors='replace'), time.monotonic() - start


def fault(status, err):
    """What breaks the contract; '' if nothing does."""
    if status is None:
        return '' if re.search(r'the run is|event-storm', err) else 'silent for too long'
    if status < 0 or status not in (0, 1, 2, 3):
        return f'exit status {status}'
    if status == 0 and re.search(r'(^|: )(internal )?error:', err, re.M):
        return 'an error with status 0'
    if status != 0 and not err.strip():
        return f'status {status} without a word'
    if status == 2 and not re.search(r'class|model', err):
        return 'status 2 for a model'
    return ''


def originals(given):
    folders = [pathlib.Path(name) for name in given] or [ROOT / name for name in ('models', 'examples', 'test/conformance')]
    files = [file for folder in folders for file in ([folder] if folder.is_file() else sorted(folder.rglob('*.mo')))]
    return [file for file in files if file.stat().st_size < 20000 and 'Lib' not in file.parts]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('tool')
    parser.add_argument('count', type=int)
    parser.add_argument('seed', type=int)
    parser.add_argument('sources', nargs='*')
    parser.add_argument('--keep')
    parser.add_argument('--patience', type=float, default=60)
    arguments = parser.parse_args()
    files = originals(arguments.sources)
    statuses, faults, slow = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.seed, arguments.seed + arguments.count):
            random_ = random.Random(number)
            original = random_.choice(files)
            text = mutate(original.read_text(errors='replace'), random_)
            command = random_.choice(COMMANDS)
            mutant = pathlib.Path(folder) / 'mutant.mo'
            mutant.write_text(text)
            limits = ['--time-limit', '20'] if command[0] == 'simulate' else []
            status, err, seconds = run([arguments.tool, *command, str(mutant), '--path', str(ROOT / 'models'), '--verbose', *limits], arguments.patience)
            statuses[status] = statuses.get(status, 0) + 1
            slow += seconds > 20
            why = fault(status, err)
            if not why:
                continue
            faults += 1
            print(f'seed {number}: {why}: {" ".join(command)} of {original.name}\n  {err.strip()[-400:]}', flush=True)
            if arguments.keep:
                kept = pathlib.Path(arguments.keep)
                kept.mkdir(parents=True, exist_ok=True)
                (kept / f'mutant_{number}.mo').write_text(f'// {" ".join(command)}\n{text}')
    told = ', '.join(f'{count} with {"no end" if status is None else status}' for status, count in sorted(statuses.items(), key=str))
    print(f'{arguments.count} mutants of {len(files)} files, seeds from {arguments.seed}: {told}; {slow} above 20 s; {faults} faults')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
