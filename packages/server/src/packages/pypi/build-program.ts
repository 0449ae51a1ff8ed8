/** Builds a source distribution by the hooks of its backend (PEP 517). Runs in a sandbox without network. */
export const buildProgram = `
import importlib, importlib.metadata, json, os, re, sys, tarfile, zipfile

home = os.getcwd()
archive, act = sys.argv[1:3]
tools = "/opt/template/tools"


def tell(**words):
    with open(os.path.join(home, "told.json"), "w") as file:
        json.dump(words, file)
    sys.exit(0)


os.mkdir("work")
if zipfile.is_zipfile(archive):
    zipfile.ZipFile(archive).extractall("work")
else:
    safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    tarfile.open(archive).extractall("work", **safely)
[root] = os.listdir("work")
os.chdir(os.path.join("work", root))
system = {}
if os.path.exists("pyproject.toml"):
    import tomllib

    with open("pyproject.toml", "rb") as file:
        system = tomllib.load(file).get("build-system", {})
if act == "requires":
    tell(requires=system.get("requires") or ["setuptools>=40.8.0"])

sys.path.insert(0, f"{tools}/site")
os.environ["PYTHONPATH"] = f"{tools}/site"
os.environ["PATH"] = f"{tools}/bin:" + os.environ["PATH"]
sys.path[:0] = [os.path.abspath(place) for place in system.get("backend-path", [])]
module, _, attribute = (system.get("build-backend") or "setuptools.build_meta:__legacy__").partition(":")
hooks = importlib.import_module(module)
for part in filter(None, attribute.split(".")):
    hooks = getattr(hooks, part)
further = hooks.get_requires_for_build_wheel({}) if hasattr(hooks, "get_requires_for_build_wheel") else []


def is_missing(requirement):
    try:
        importlib.metadata.version(re.match(r"[\\w.-]+", requirement)[0])
    except importlib.metadata.PackageNotFoundError:
        return True


missing = [one for one in further if is_missing(one)]
if missing:
    tell(requires=missing)
dist = os.path.join(home, "dist")
os.mkdir(dist)
tell(wheel=hooks.build_wheel(dist, {}, None))
`
