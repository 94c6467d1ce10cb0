"""What to look for in each language's syntax tree: one entry per language that can be extended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Types: TypeAlias = frozenset[str]


def _types(words: str) -> Types:
    return frozenset(words.split())


@dataclass(frozen=True, slots=True)
class Syntax:
    types: Types  #: classes and their kin, which can be joined
    routines: Types
    fields: Types
    imports: Types
    spaces: Types = frozenset()
    preamble: Types = frozenset()
    conditionals: Types = frozenset()
    wrappers: Types = frozenset()  #: stand around a definition without being one
    attached: Types = frozenset({"comment"})  #: belong to what follows them
    atoms: Types = frozenset()  #: definitions with a name that nothing can join
    bare: tuple[str, str] = ("class Bare {", "}")  #: makes members without a class readable
    members_only: bool = False  #: a module of this language holds no routines or fields
    overloads: bool = False
    signatures: Types = frozenset()  #: routines without a body that must stand before the implementation
    marker: str = "{}"
    ordered: bool = False  #: a field can only use what stands above it


_ECMASCRIPT = Syntax(
    types=_types("class_declaration abstract_class_declaration class interface_declaration"),
    routines=_types(
        "method_definition method_signature abstract_method_signature function_declaration function_signature"
        " generator_function_declaration class_static_block"
    ),
    fields=_types(
        "field_definition public_field_definition property_signature index_signature lexical_declaration"
        " variable_declaration assignment_expression"
    ),
    imports=_types("import_statement"),
    spaces=_types("internal_module module"),
    wrappers=_types("export_statement ambient_declaration expression_statement"),
    attached=_types("comment decorator"),
    atoms=_types("enum_declaration type_alias_declaration"),
    overloads=True,
    signatures=_types("method_signature function_signature"),
    ordered=True,
)

_CPP = Syntax(
    types=_types("class_specifier struct_specifier"),
    routines=_types("function_definition"),
    fields=_types(
        "field_declaration declaration alias_declaration type_definition using_declaration friend_declaration"
    ),
    imports=_types("preproc_include"),
    spaces=_types("namespace_definition linkage_specification"),
    preamble=_types("preproc_call"),
    conditionals=_types("preproc_if preproc_ifdef"),
    wrappers=_types("template_declaration"),
    atoms=_types("enum_specifier union_specifier"),
    bare=("class Bare {", "};"),
    overloads=True,
    marker="{}:",
    ordered=True,
)

SYNTAXES: dict[str, Syntax] = {
    "JavaScript": _ECMASCRIPT,
    "TypeScript": _ECMASCRIPT,
    "TSX": _ECMASCRIPT,
    "C++": _CPP,
    "C or C++ header": _CPP,
    "Java": Syntax(
        types=_types("class_declaration interface_declaration record_declaration"),
        routines=_types(
            "method_declaration constructor_declaration compact_constructor_declaration static_initializer block"
        ),
        fields=_types("field_declaration constant_declaration"),
        imports=_types("import_declaration"),
        preamble=_types("package_declaration"),
        attached=_types("line_comment block_comment"),
        atoms=_types("enum_declaration annotation_type_declaration module_declaration"),
        members_only=True,
        overloads=True,
    ),
    "C#": Syntax(
        types=_types("class_declaration struct_declaration interface_declaration record_declaration"),
        routines=_types(
            "method_declaration constructor_declaration destructor_declaration indexer_declaration operator_declaration"
            " conversion_operator_declaration property_declaration event_declaration"
        ),
        fields=_types("field_declaration event_field_declaration delegate_declaration"),
        imports=_types("using_directive extern_alias_directive"),
        spaces=_types("namespace_declaration"),
        preamble=_types("file_scoped_namespace_declaration global_attribute"),
        conditionals=_types("preproc_if"),
        atoms=_types("enum_declaration"),
        members_only=True,
        overloads=True,
    ),
    "Ruby": Syntax(
        types=_types("class module singleton_class"),
        routines=_types("method singleton_method"),
        fields=_types("call assignment alias"),
        imports=frozenset(),
        conditionals=_types("if unless if_modifier unless_modifier"),
        bare=("class Bare", "end"),
    ),
    "PHP": Syntax(
        types=_types("class_declaration interface_declaration trait_declaration enum_declaration"),
        routines=_types("method_declaration function_definition"),
        fields=_types("property_declaration const_declaration use_declaration enum_case"),
        imports=_types("namespace_use_declaration"),
        spaces=frozenset(),
        preamble=_types("php_tag declare_statement namespace_definition"),
        conditionals=_types("if_statement"),
        bare=("<?php class Bare {", "}"),
    ),
    "Rust": Syntax(
        types=_types("impl_item trait_item"),
        routines=_types("function_item function_signature_item macro_definition"),
        fields=_types("const_item static_item type_item associated_type macro_invocation"),
        imports=_types("use_declaration extern_crate_declaration"),
        spaces=_types("mod_item"),
        preamble=_types("inner_attribute_item"),
        attached=_types("line_comment block_comment attribute_item"),
        atoms=_types("struct_item enum_item union_item"),
        bare=("impl Bare {", "}"),
    ),
    "Go": Syntax(
        types=frozenset(),
        routines=_types("method_declaration function_declaration"),
        fields=_types("var_declaration const_declaration"),
        imports=_types("import_declaration"),
        preamble=_types("package_clause"),
        atoms=_types("type_declaration"),
        bare=("", ""),
    ),
}
