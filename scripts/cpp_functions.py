"""Finds the functions of a C++ or CUDA file by their braces: no compiler, no macro expansion.

A brace outside of every function opens a body when the text before it, back to the last ; { or }, has a parameter list and ends
as a function's head does. Everything between that brace and its partner is the function, lambdas and local classes included.
"""

import re
from typing import NamedTuple


class Function(NamedTuple):
    name: str
    first_line: int  # 1-based: the line of the opening brace
    lines: int  # from the opening to the closing brace, both counted


class UnbalancedBraces(Exception):
    pass


_SKIPPED = re.compile(
    r'//(?:\\\n|[^\n])*'  # comments
    r'|/\*.*?\*/'
    r'|(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"'  # raw strings
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'"  # characters; 1'000 is a number
    r'|^[ \t]*\#(?:\\\n|[^\n])*',  # preprocessor lines
    re.DOTALL | re.MULTILINE)
_TOKEN = re.compile(r'[A-Za-z_]\w*|::|->|\n|\S')
_TYPE_WORDS = {'namespace', 'class', 'struct', 'union', 'enum'}
_SPECIFIERS = {'inline', 'static', 'constexpr', 'export', 'typedef', 'extern'}
_AFTER_PARAMETERS = {'const', 'noexcept', 'override', 'final', 'mutable', 'try', '&', 'volatile', 'requires'}
_NOT_NAMES = {'noexcept', 'requires', 'decltype', 'alignas', '__attribute__', '__launch_bounds__', 'explicit'}


def _blank(match):
    text = match.group(0)
    is_literal = text[0] not in '/#' and text.lstrip()[0] != '#'
    return ('0' if is_literal else ' ') + '\n' * text.count('\n')


def _tokens(text):
    line = 1
    for match in _TOKEN.finditer(_SKIPPED.sub(_blank, text)):
        if match.group(0) == '\n':
            line += 1
        else:
            yield match.group(0), line


def _outer(head):
    """The head without what stands inside of its parentheses and square brackets, and without template parameters."""
    depth, kept = 0, []
    for token in head:
        depth -= token in ')]'
        if depth == 0:
            kept.append(token)
        depth += token in '(['
    while kept and kept[0] == 'template':
        angle, end = 0, 1
        while end < len(kept):
            angle += (kept[end] == '<') - (kept[end] == '>')
            end += 1
            if angle == 0:
                break
        kept = kept[end:]
    return kept


def _is_type_or_namespace(outer):
    words = [token for token in outer if token not in _SPECIFIERS]
    return bool(words) and words[0] in _TYPE_WORDS


def _member_list(outer):
    """Where the list of a constructor's member initialisers starts (its colon), or None."""
    for i in range(1, len(outer)):
        if outer[i] == ':' and (outer[i - 1] in (')', '}') or outer[i - 1] in _AFTER_PARAMETERS):
            return i
    return None


def _is_body(head):
    outer = _outer(head)
    if '(' not in outer or _is_type_or_namespace(outer) or ('=' in outer and 'operator' not in outer):
        return False
    if _member_list(outer) is not None:  # a brace after a name starts a member, after ) or } the body
        return outer[-1] in (')', '}')
    tail = outer[len(outer) - outer[::-1].index(')'):]
    return '->' in outer or all(token in _AFTER_PARAMETERS for token in tail)


def _name(head):
    outer = _outer(head)
    outer = outer[:_member_list(outer)]
    if 'operator' in outer:
        return ''.join(outer[outer.index('operator'):][:3])
    if '->' in outer:
        outer = outer[:outer.index('->')]
    places = [i for i in range(1, len(outer)) if outer[i] == '(' and outer[i - 1] not in _NOT_NAMES]
    if not places:
        return '?'
    name = outer[places[-1] - 1]
    if re.fullmatch('TEST|TEST_[FP]|TYPED_TEST', name):
        start = head.index(name) + 2
        return '.'.join(token for token in head[start:head.index(')', start)] if token != ',')
    if outer[places[-1] - 2:places[-1] - 1] == ['::']:
        return outer[places[-1] - 3] + '::' + name
    return name


def functions(text):
    """All functions of `text` in order. Errors: UnbalancedBraces."""
    found, head, parentheses = [], [], 0
    depth = 0
    body_depth = body_line = body_name = None
    member_braces = []  # depths at which a brace belongs to the head (member initialisers, default arguments)
    for token, line in _tokens(text):
        if token == '{':
            depth += 1
            if body_depth is None:
                outer = _outer(head)
                starts_member = _member_list(outer) is not None and outer[-1] not in (')', '}')
                if parentheses > 0 or (starts_member and not _is_type_or_namespace(outer)):
                    member_braces.append(depth)
                    continue
                if _is_body(head):
                    body_depth, body_line, body_name = depth, line, _name(head)
                head = []
        elif token == '}':
            if depth == 0:
                raise UnbalancedBraces(f'line {line}: a closing brace without an opening one')
            if body_depth == depth:
                found.append(Function(body_name, body_line, line - body_line + 1))
                body_depth, head = None, []
            elif body_depth is None:
                if member_braces and member_braces[-1] == depth:
                    member_braces.pop()
                    head.append('}')
                else:
                    head = []
            depth -= 1
        elif body_depth is None and not member_braces:
            if token == ';' and parentheses == 0:
                head = []
                continue
            parentheses += (token == '(') - (token == ')')
            if token in ('public', 'private', 'protected'):
                head = []
            elif not (token == ':' and not head):
                head.append(token)
    if depth != 0:
        raise UnbalancedBraces(f'{depth} braces are not closed')
    return found
