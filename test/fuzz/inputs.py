"""Tables of input signals for input_fuzz to begin with: python3 test/fuzz/inputs.py FOLDER"""
import pathlib
import struct
import sys


def matrix(name, rows, columns, cells, kind=0):
    head = struct.pack('<5i', kind, rows, columns, 0, len(name) + 1) + name.encode() + b'\0'
    return head + (bytes(cells) if kind == 51 else struct.pack(f'<{len(cells)}{"i" if kind == 20 else "d"}', *cells))


def text_matrix(name, words, is_transposed):
    width = max(map(len, words))
    rows = [word.ljust(width).encode() for word in words]
    if is_transposed:
        return matrix(name, width, len(words), b''.join(rows), 51)
    return matrix(name, len(words), width, [row[i] for i in range(width) for row in rows], 51)


def mat(names, rows):
    """A result file of four matrices, as simulators write them."""
    info = [0, 1, 0, -1] + [value for k in range(1, len(names)) for value in (2, k + 1, 0, -1)]
    cells = [value for row in rows for value in row]
    return (text_matrix('Aclass', ['Atrajectory', '1.1', '', 'binTrans'], False) + text_matrix('name', names, True)
            + matrix('dataInfo', 4, len(names), info, 20) + matrix('data_1', 1, 2, [0, 2])
            + matrix('data_2', len(names), len(rows), cells))


SEEDS = {
    'plain.csv': b'time,u,v,on,n\n0,0,1,0,1\n1,2,1,1,2\n2,-1,0,1,3\n',
    'jumps.csv': b'time,u\n0,0\n1,1\n1,5\n2,5\n',
    'quoted.csv': b'"time","u"\r\n0,1e300\r\n1e-300,-1e300\r\n',
    'one.csv': b'time,u\n0,1\n',
    'empty.csv': b'time,u\n',
    'plain.mat': mat(['time', 'u', 'v'], [[0, 1, 2], [1, 2, 0], [2, 0, 1]]),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in SEEDS.items():
        (folder / name).write_bytes(content)


if __name__ == '__main__':
    main()
