"""Tables in a folder as pandas reads them: a line of JSON for each on the standard output.

    python tables.py FOLDER
    python tables.py FOLDER 8 > ../../js/test/files/sample.jsonl

The second reads the first lines of every ninth table that is not wide, and writes them out too:
the sample that every landing compares. Weft and pandas read most tables without options.
`OPTIONS` has the others: the options of pandas and, where there is a third part, those of Weft.
"""

import csv
import gzip
import io
import json
import math
import sys
from pathlib import Path

import numpy
import pandas

NO_HEADER = {"header": None}
RESULTS = "statsmodels/{}/tests/results/{}.csv"
OPTIONS: dict[str, tuple[dict, dict]] = {
    # Separators.
    "statsmodels/datasets/anes96/anes96.csv": ({"sep": "\t"}, {}),
    "statsmodels/datasets/modechoice/modechoice.csv": ({"sep": ";"}, {}),
    "package/data/unemployment.tsv": ({"sep": "\t"}, {}),
    "sklearn/datasets/data/diabetes_data_raw.csv.gz": ({"sep": r"\s+", "header": None}, {"separator": "whitespace"}),
    "sklearn/datasets/data/linnerud_exercise.csv": ({"sep": r"\s+"}, {"separator": "whitespace"}),
    "sklearn/datasets/data/linnerud_physiological.csv": ({"sep": r"\s+"}, {"separator": "whitespace"}),
    # Texts that are taken for missing ones.
    "package/data/airports.csv": ({}, {"missing": ["NA"]}),
    "package/data/birdstrikes.csv": ({}, {"missing": ["None"]}),
    # The table is a part of the file, or its first line is something else.
    "sklearn/datasets/data/breast_cancer.csv": ({"lines": [2], "header": None}, {"lines": [2]}),
    "sklearn/datasets/data/wine_data.csv": ({"lines": [2], "header": None}, {"lines": [2]}),
    "statsmodels/datasets/macrodata/src/unemp.csv": ({"lines": [10]}, {"lines": [10]}),
    "statsmodels/datasets/scotland/src/scotland_population.csv": ({"lines": [18, 53]}, {"lines": [18, 53]}),
    # Rows of several lengths.
    RESULTS.format("tsa", "arima212_forecast"): ({}, {"fill": True}),
}


def value(x):
    """A value as JSON has it: what is missing is null."""
    if x is None or (isinstance(x, float) and math.isnan(x)):
        return None
    if isinstance(x, (bool, numpy.bool_)):
        return bool(x)
    if isinstance(x, (int, numpy.integer)):
        return int(x)
    if isinstance(x, (float, numpy.floating)):
        return float(x) if math.isfinite(x) else str(x)
    return str(x)


def is_number(text: str) -> bool:
    try:
        return not math.isnan(float(text))
    except ValueError:
        return False


def text_of(path: Path) -> str:
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode()


def read(text: str, theirs: dict) -> pandas.DataFrame:
    """A table as pandas reads it, with `header=None` where there is no header."""
    theirs = dict(theirs)
    if "lines" in theirs:
        first, *last = theirs.pop("lines")
        text = "".join(text.splitlines(keepends=True)[first - 1 : last[0] if last else None])
    separator = theirs.get("sep", ",")
    row = next(csv.reader(text.splitlines()[:1], delimiter=separator if len(separator) == 1 else ","))
    if all(is_number(field) for field in row):
        theirs["header"] = None
    frame = pandas.read_csv(io.StringIO(text), low_memory=False, float_precision="round_trip", **theirs)
    return frame if isinstance(frame.index, pandas.RangeIndex) else frame.reset_index(names="Unnamed: 0")


def table(text: str, name: str) -> dict:
    theirs, ours = OPTIONS.get(name.split("/", 1)[1], ({}, {}))
    frame = read(text, theirs)
    columns = [
        {"name": str(column), "dtype": str(frame.dtypes.iloc[n]), "values": [value(x) for x in frame.iloc[:, n].tolist()]}
        for n, column in enumerate(frame.columns)
    ]
    return {"file": name, "options": ours, "columns": columns}


def main() -> None:
    folder, *lines = sys.argv[1:]
    paths = {str(path.relative_to(folder)): path for path in sorted(Path(folder).rglob("*"))}
    tables = [name for name in paths if name.endswith((".csv", ".csv.gz", ".tsv")) and not name.startswith("numpy/")]
    for n, name in enumerate(tables):
        text = text_of(paths[name])
        if not lines:
            print(json.dumps(table(text, name)))
        elif n % 9 == 0 and name.split("/", 1)[1] not in OPTIONS:
            start = "".join(text.splitlines(keepends=True)[: int(lines[0])])
            line = json.dumps({"text": start, **table(start, name)})
            if len(line) < 5000:
                print(line)


main()
