"""Which languages there are, how their files are recognised, and which parser reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from inlay.model.file import RepoPath

Reader: TypeAlias = Literal["python", "json", "toml", "tree-sitter"]


@dataclass(frozen=True, slots=True)
class Language:
    name: str
    endings: tuple[str, ...] = ()  #: lower case, with the dot
    filenames: tuple[str, ...] = ()  #: whole names; they go before endings
    interpreters: tuple[str, ...] = ()  #: as a shebang names them, without version
    reader: Reader = "tree-sitter"
    #: tree-sitter grammars as "module:function"; the text is fine when any of them reads it
    grammars: tuple[str, ...] = ()
    #: put round the text before parsing; must not hold a line break before the text, or lines would shift
    wrapping: tuple[str, str] = ("", "")
    #: a tree-sitter query for closing words without a partner, where the grammar takes such a word for a name
    strays: str = ""
    #: macros, templates, dialects or a grammar with gaps: a parser's complaint alone proves little
    dialects: bool = False


_JAVASCRIPT = "tree_sitter_javascript:language"
_TYPESCRIPT = "tree_sitter_typescript:language_typescript"
_TSX = "tree_sitter_typescript:language_tsx"
_C = "tree_sitter_c:language"
_CPP = "tree_sitter_cpp:language"

_COMMENTED_JSON = (
    *("tsconfig.json", "jsconfig.json", "tslint.json", "turbo.json", "deno.json", "api-extractor.json"),
    *("devcontainer.json", "language-configuration.json"),
    *(".eslintrc.json", ".eslintrc", ".babelrc", ".swcrc", ".jshintrc", ".jscsrc"),
)

LANGUAGES: tuple[Language, ...] = (
    Language("Python", (".py", ".pyi", ".pyw"), ("SConstruct", "SConscript"), ("python",), reader="python"),
    Language("JSON", (".json", ".geojson", ".webmanifest"), (".prettierrc", "composer.lock"), reader="json"),
    # A JSON text with comments and trailing commas is a JavaScript expression.
    Language(
        "JSON with comments",
        (".jsonc", ".json5", ".code-workspace"),
        _COMMENTED_JSON,
        grammars=(_JAVASCRIPT,),
        wrapping=("(", "\n)"),
    ),
    Language("TOML", (".toml",), ("Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"), reader="toml"),
    Language("YAML", (".yaml", ".yml"), (".clang-format",), grammars=("tree_sitter_yaml:language",)),
    # The second grammar reads type annotations, which Flow shares with TypeScript.
    Language("JavaScript", (".js", ".mjs", ".cjs", ".jsx"), (), ("node",), grammars=(_JAVASCRIPT, _TSX)),
    Language("TypeScript", (".ts", ".mts", ".cts"), (), ("deno", "tsx", "ts-node"), grammars=(_TYPESCRIPT,)),
    Language("TSX", (".tsx",), grammars=(_TSX,)),
    Language("Go", (".go",), grammars=("tree_sitter_go:language",)),
    Language("Rust", (".rs",), grammars=("tree_sitter_rust:language",)),
    Language("Java", (".java",), grammars=("tree_sitter_java:language",)),
    Language("Kotlin", (".kt", ".kts"), grammars=("tree_sitter_kotlin:language",), dialects=True),
    Language("Scala", (".scala", ".sc"), grammars=("tree_sitter_scala:language",)),
    Language("C", (".c",), grammars=(_C,), dialects=True),
    # Nothing in its name says whether a header is C, C++ or Objective-C.
    Language("C or C++ header", (".h",), grammars=(_C, _CPP), dialects=True),
    Language("C++", (".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx"), grammars=(_CPP,), dialects=True),
    Language("C#", (".cs", ".csx"), grammars=("tree_sitter_c_sharp:language",), dialects=True),
    Language(
        "Ruby",
        (".rb", ".rake", ".gemspec", ".ru", ".podspec"),
        ("Gemfile", "Rakefile", "Vagrantfile", "Podfile", "Guardfile", "Thorfile", "Brewfile", "Fastfile"),
        ("ruby",),
        grammars=("tree_sitter_ruby:language",),
        strays='(program (identifier) @stray (#eq? @stray "end"))',
    ),
    Language("PHP", (".php", ".phtml"), (), ("php",), grammars=("tree_sitter_php:language_php",), dialects=True),
    Language(
        "shell",
        (".sh", ".bash"),
        (".bashrc", ".bash_profile", ".profile", "PKGBUILD"),
        ("bash", "sh", "dash", "ksh"),
        grammars=("tree_sitter_bash:language",),
        strays='(command name: (command_name (word) @stray) (#any-of? @stray "fi" "done" "esac" "}"))',
    ),
    Language("Lua", (".lua",), (), ("lua", "luajit"), grammars=("tree_sitter_lua:language",)),
    Language("HCL", (".tf", ".tfvars", ".hcl"), grammars=("tree_sitter_hcl:language",)),
    Language("HTML", (".html", ".htm", ".xhtml"), grammars=("tree_sitter_html:language",), dialects=True),
    Language("CSS", (".css",), grammars=("tree_sitter_css:language",), dialects=True),
)

#: Languages that no parser here reads, by endings that stand for no other language.
_UNREAD: dict[str, tuple[str, ...]] = {
    "Ada": (".adb", ".ads"),
    "Astro": (".astro",),
    "Clojure": (".clj", ".cljs", ".cljc", ".edn"),
    "Crystal": (".cr",),
    "CUDA": (".cu", ".cuh"),
    "Dart": (".dart",),
    "Elixir": (".ex", ".exs"),
    "Elm": (".elm",),
    "Erlang": (".erl", ".hrl"),
    "F#": (".fs", ".fsx", ".fsi"),
    "Fortran": (".f90", ".f95", ".f03", ".f08"),
    "Gleam": (".gleam",),
    "GLSL": (".glsl", ".vert", ".frag"),
    "GraphQL": (".graphql", ".gql"),
    "Groovy": (".groovy", ".gradle"),
    "Haskell": (".hs", ".lhs"),
    "Julia": (".jl",),
    "Less": (".less",),
    "Nim": (".nim",),
    "Nix": (".nix",),
    "Objective-C++": (".mm",),
    "OCaml": (".ml", ".mli"),
    "Pascal": (".pas",),
    "Perl": (".pl", ".pm"),
    "PowerShell": (".ps1", ".psm1"),
    "Protocol Buffers": (".proto",),
    "R": (".r",),
    "Racket": (".rkt",),
    "SCSS": (".scss", ".sass"),
    "Solidity": (".sol",),
    "SQL": (".sql",),
    "Starlark": (".bzl",),
    "Svelte": (".svelte",),
    "Swift": (".swift",),
    "Tcl": (".tcl",),
    "Verilog": (".sv", ".svh"),
    "VHDL": (".vhd", ".vhdl"),
    "Visual Basic": (".vb",),
    "Vue": (".vue",),
    "XML": (".xml", ".xsd", ".xsl", ".xslt"),
    "Zig": (".zig",),
}
_UNREAD_BY_ENDING = {ending: name for name, endings in _UNREAD.items() for ending in endings}
_BY_NAME = {name: language for language in LANGUAGES for name in language.filenames}
_BY_ENDING = {ending: language for language in LANGUAGES for ending in language.endings}
_BY_INTERPRETER = {name: language for language in LANGUAGES for name in language.interpreters}

# tsconfig.build.json and its kin are read as tsconfig.json is; so is all that an editor keeps in .vscode.
_COMMENTED_JSON_PATH = re.compile(r"(?:^|/)(?:tsconfig[^/]*\.json|\.vscode/[^/]+\.json)$")
_SHEBANG = re.compile(r"#!\s*(?:\S*/)?env\s+(?:-\S+\s+|\w+=\S*\s+)*([^\s/]+)|#!\s*(?:\S*/)?([^\s/]+)")
_VERSION = re.compile(r"[\d.]+$")
_PROSE = frozenset((".md", ".markdown", ".mdx", ".rst", ".rdoc", ".txt", ".adoc", ".org", ".tex"))


def of(path: RepoPath, text: str = "") -> Language | None:
    """The file's language, or None when it is not one that we can read."""
    if _COMMENTED_JSON_PATH.search(str(path)):
        return _BY_NAME["tsconfig.json"]
    named = _BY_NAME.get(path.name) or _BY_ENDING.get(path.suffix)
    if named is not None:
        # Qt keeps its translations as XML in .ts files.
        return None if named.name == "TypeScript" and text.startswith(("<?xml", "<!DOCTYPE")) else named
    shebang = None if path.suffix else _SHEBANG.match(text[:200])
    return _BY_INTERPRETER.get(_VERSION.sub("", shebang[1] or shebang[2])) if shebang else None


def unread(path: RepoPath) -> str | None:
    """The name of a language that no parser here reads; None for text, and for what is not known at all."""
    return _UNREAD_BY_ENDING.get(path.suffix)


def is_prose(path: RepoPath) -> bool:
    """Whether a file is for people to read, and may show shortened code on purpose."""
    return path.suffix in _PROSE
