"""C++ sources as the checks of this folder read them: without comments, strings and directives, and cut
into statements by their braces. Good enough for code in this project's style; not a parser."""

import re

_HIDDEN = re.compile(
    r'R"(?P<tag>\w*)\(.*?\)(?P=tag)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"
    r"|//[^\n]*|/\*.*?\*/"
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
    re.S | re.M)


def bare(text):
    """The text with strings emptied and comments and directives removed; lines keep their numbers."""

    def blank(match):
        piece = match.group(0)
        quotes = '""' if piece[0] in "\"R'" else ""
        return quotes + "\n" * piece.count("\n")

    return _HIDDEN.sub(blank, text)


def walk(text):
    """Yields (path, statement, line) for each statement or head of a block of bare text. `path` holds the
    heads of the blocks around it, the outermost first."""
    path, statement, line, first = [], "", 1, 1
    for character in text:
        if character == "\n":
            line += 1
        if character in "{;}":
            if statement.strip():
                yield tuple(path), " ".join(statement.split()), first
            if character == "{":
                path.append(" ".join(statement.split()))
            elif character == "}" and path:
                path.pop()
            statement = ""
        else:
            if not statement.strip():
                first = line
            statement += character


def blocks(text):
    """Yields (path, head, first line, last line) for each block of bare text, inner ones first."""
    open_blocks, statement, line, first = [], "", 1, 1
    for character in text:
        if character == "\n":
            line += 1
        if character == "{":
            open_blocks.append((" ".join(statement.split()), first))
        elif character == "}" and open_blocks:
            head, begin = open_blocks.pop()
            yield tuple(outer for outer, _ in open_blocks), head, begin, line
        if character in "{;}":
            statement = ""
        else:
            if not statement.strip():
                first = line
            statement += character


def list_items(text):
    """The items of a list that begins after its parenthesis."""
    depth, items = 0, [""]
    for character in text:
        depth += (character in "(<[{") - (character in ")>]}")
        if depth < 0:
            break
        if character == "," and depth == 0:
            items.append("")
        else:
            items[-1] += character
    return [item.strip() for item in items if item.strip()]
