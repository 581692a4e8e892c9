#!/usr/bin/env python3
"""The slow, obvious reader of profiles that the expected figures of fixtures/ are made with.

usage: reference_reader.py PROFILE > EXPECTED.json          (PROFILE plain or gzip)

It keeps every invocation as an object of its own and shares no code with the product. It reads what
Xdebug 3 writes, and callgrind's files without a tree. All figures are in the raw units of the file.
The keys of the output are explained in fixtures/README.md.
"""
import gzip
import json
import os
import re
import sys
from collections import Counter, defaultdict

TREE_LIMIT = 400  # trees with more nodes than this are only counted


class Record:
    """One fn= block: with Xdebug that is one invocation of a function."""
    def __init__(self, function, width):
        self.function = function                # (file, name), both bytes
        self.own = [0] * width                  # sum of the self lines
        self.calls = []                         # (line, count, callee, costs), in the order of the file
        self.parent = self.called_with = None   # the record that claimed it, the costs on its call line
        self.children = []

    def sum(self):
        """What it cost by its own account: its self lines and its call lines."""
        return [sum(c) for c in zip(self.own, *(costs for _, _, _, costs in self.calls))]

    def inclusive(self):
        return self.called_with or self.sum()


class Section:
    """One profile of the file: what stands between two headers or after a summary."""
    def __init__(self, header):
        self.header, self.summary, self.ended = header, None, False
        self.records, self.roots, self.unmatched = [], [], 0


def read_lines(path):
    data = open(path, "rb").read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    lines = data.split(b"\n")
    lines.pop()  # empty, or the line that a killed process did not finish
    return lines, not data.endswith(b"\n")


def parse(lines):
    sections, ids, section, record = [], {}, None, None
    file = called_file = current_file = callee = pending = None
    position, is_jump = [0], False

    def name(kind, text):
        found = re.match(rb"\((\d+)\)[ \t]*(.*)$", text, re.S)
        if not found:
            return text
        if found[2]:
            ids[kind, found[1]] = found[2]
        return ids[kind, found[1]]

    def numbers(fields):
        """The position columns (relative ones resolved) and the costs of a line."""
        for i in range(len(position)):
            f = fields[i]
            value = position[i] if f == b"*" else int(f, 16 if f.lstrip(b"+-").startswith(b"0x") else 10)
            position[i] += value if f[:1] in b"+-" else value - position[i]
        costs = [int(f) for f in fields[len(position):]]
        return costs + [0] * (len(section.header["events"]) - len(costs))

    for line in lines:
        key, _, value = line.partition(b"=")
        if line.startswith(b"==== NEW PROFILING FILE"):
            section, record, ids = None, None, {}
        elif re.match(rb"[a-z]+:", line) and not line.startswith((b"summary:", b"totals:")):
            if section is None:
                section, ids = Section({}), {}
                sections.append(section)
            key, _, value = line.decode("utf-8", "backslashreplace").partition(":")
            section.header[key] = value.split() if key in ("events", "positions") else value.strip()
            position = [0] * len(section.header.get("positions", "1"))
        elif line.startswith(b"summary:"):
            section.summary = [int(n) for n in line.split()[1:]]
            section.ended = bool(section.records)  # callgrind's stands before the records
        elif key in (b"fl", b"fi", b"fe"):
            current_file = name("file", value)
            file = current_file if key == b"fl" else file
        elif key == b"fn":
            if section.ended:  # a forked process wrote into the file of its parent
                section = Section(section.header)
                sections.append(section)
            record = Record((file, name("function", value)), len(section.header["events"]))
            section.records.append(record)
        elif key in (b"cfl", b"cfi"):
            called_file = name("file", value)
        elif key == b"cfn":
            callee = (called_file or current_file, name("function", value))
        elif key == b"calls":
            pending = int(value.split()[0])
        elif key in (b"jump", b"jcnd"):
            is_jump = True
        elif key == b"jfi":
            name("file", value)
        elif key in (b"ob", b"cob"):
            name("object", value)
        elif line and line[:1] in b"0123456789+-*":
            costs = numbers(line.split())
            if is_jump:
                is_jump = False
            elif pending is not None:
                record.calls.append((position[-1], pending, callee, costs))
                pending = called_file = None
            else:
                record.own = [a + b for a, b in zip(record.own, costs)]
    return sections


def build_tree(section):
    """Every call takes its record from the unclaimed ones, last call first, nearest first; the rest are roots."""
    unclaimed = []
    for record in section.records:
        place = len(unclaimed)
        for _, _, callee, costs in reversed(record.calls):
            at = place - 1
            while at >= 0 and not (unclaimed[at].function == callee and
                                   abs(unclaimed[at].sum()[0] - costs[0]) <= len(unclaimed[at].calls) + 2):
                at -= 1
            if at < 0:
                section.unmatched += 1
                continue
            child, place = unclaimed.pop(at), at
            child.parent, child.called_with = record, costs
            record.children.insert(0, child)
        unclaimed.append(record)
    section.roots = unclaimed


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def walk(roots, zero):
    """Merged tree and inclusive costs by function (only invocations without the same function above them)."""
    top = {"children": {}}
    inclusive, open_calls, nodes = defaultdict(lambda: zero), Counter(), 0
    work = [(root, top, True) for root in reversed(roots)]
    while work:
        record, parent, entering = work.pop()
        if not entering:
            open_calls[record.function] -= 1
            continue
        if record.function not in parent["children"]:
            nodes += 1
        node = parent["children"].setdefault(record.function, {"n": 0, "own": zero, "incl": zero, "children": {}})
        node["n"] += 1
        node["own"] = add(node["own"], record.own)
        node["incl"] = add(node["incl"], record.inclusive())
        if open_calls[record.function] == 0:
            inclusive[record.function] = add(inclusive[record.function], record.inclusive())
        open_calls[record.function] += 1
        work.append((record, parent, False))
        work += [(child, node, True) for child in reversed(record.children)]
    return top, inclusive, nodes


def nested(children, index):
    return [[index[f], n["n"], n["own"], n["incl"], nested(n["children"], index)] for f, n in children.items()]


def spread(values):
    return {"min": min(values), "max": max(values), "first": values[0]}


def text(name):
    return name.decode("utf-8", "backslashreplace")


def report(path):
    lines, cut = read_lines(path)
    sections = parse(lines)
    header = sections[0].header
    events = header["events"]
    exact = header.get("creator", "").startswith("xdebug")
    records = [r for s in sections for r in s.records]
    zero = [0] * len(events)

    functions, index = [], {}
    for f in [r.function for r in records] + [c[2] for r in records for c in r.calls]:
        index.setdefault(f, len(index))
    by_function, edges, sites = defaultdict(list), {}, defaultdict(Counter)
    for r in records:
        by_function[r.function].append(r)
        used = Counter()
        for line, count, callee, costs in r.calls:
            edge = edges.setdefault((r.function, callee), {})
            n, sum_ = edge.get(line, (0, zero))
            edge[line] = (n + count, add(sum_, costs))
            used[line, callee] += count
        for (line, callee), count in used.items():
            sites[r.function, line, callee][count] += 1

    if exact:
        for section in sections:
            build_tree(section)
        top, inclusive, nodes = walk([r for s in sections for r in s.roots], zero)
    for f, i in index.items():
        own = [r.own for r in by_function[f]]
        row = {"id": i, "name": text(f[1]), "file": text(f[0])}
        if text(f[1]).encode() != f[1]:
            row["name_hex"] = f[1].hex()
        row |= {"records" if not exact else "invocations": len(own), "self": [sum(c) for c in zip(zero, *own)]}
        if exact:
            row["inclusive"] = inclusive[f]
            if own:
                row["self_time"] = spread([o[0] for o in own])
                row["inclusive_time"] = spread([r.inclusive()[0] for r in by_function[f]])
        functions.append(row)

    result = {"file": os.path.basename(path), "creator": header.get("creator"), "events": events, "exact": exact,
              "cut": cut, "records": len(records), "calls": sum(c[1] for r in records for c in r.calls),
              "self": [sum(c) for c in zip(zero, *(r.own for r in records))]}
    if exact:
        result |= {"roots": sum(len(s.roots) for s in sections), "tree_nodes": nodes}
    result["sections"] = []
    for s in sections:
        row = {"command": s.header.get("cmd"), "records": len(s.records), "summary": s.summary,
               "self": [sum(c) for c in zip(zero, *(r.own for r in s.records))]}
        if exact:
            row |= {"unmatched_calls": s.unmatched, "tree_nodes": walk(s.roots, zero)[2],
                    "roots": [[index[r.function], r.sum()] for r in s.roots]}
        result["sections"].append(row)
    result["functions"] = functions
    result["edges"] = [{"caller": index[a], "callee": index[b], "calls": sum(n for n, _ in e.values()),
                        "inclusive": [sum(c) for c in zip(*(costs for _, costs in e.values()))],
                        "lines": [[line, n, costs] for line, (n, costs) in sorted(e.items())]}
                       for (a, b), e in edges.items()]
    if exact:
        result["call_sites"] = [{"caller": index[a], "line": line, "callee": index[b], "invocations": sum(c.values()),
                                 "most": max(c), "histogram": {str(n): c[n] for n in sorted(c)}}
                                for (a, line, b), c in sites.items()]
        result["tree"] = nested(top["children"], index) if nodes <= TREE_LIMIT else None
    return result


def dump(result):
    """JSON with one row a line, so that a change can be read in a diff."""
    parts = []
    for key, value in result.items():
        if isinstance(value, list) and value and isinstance(value[0], (dict, list)):
            rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in value)
            parts.append(f" {json.dumps(key)}: [\n{rows}\n ]")
        else:
            parts.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.stdout.write(dump(report(sys.argv[1])))
