"""The MCP server of one project: its tools, how to write edits as prompts, receipts and the audit log as resources."""

from __future__ import annotations

import json
import threading
from typing import Any

import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

import inlay
from inlay.errors import InlayError
from inlay.mcp_server import tool_call
from inlay.mcp_server.elicitation import Context
from inlay.tools import Tool, Toolbox
from inlay.tools.toolbox import import_engine

_NOT_FOUND = -32002
_PATCH_RULES = "patch_rules"
_FORMAT_PREFIX = "format_"
_RECEIPTS = "inlay://receipts"
_LOG = "inlay://log"
_JSON = "application/json"
_INSTRUCTIONS = """\
These tools edit the files of one project: an edit is applied exactly where it belongs, or not at all. Read a file with
read_file, then edit it with apply_edits (by lines), replace_text (one text for another) or write_patch (a raw unified
diff). A refusal has kind "patch_error" and says what to correct; nothing was written then. kind "needs_approval" means
that the user must approve the change first. undo undoes a change. Paths are relative to the project's root.
"""


class ProjectServer:
    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._tools = [_described(tool) for tool in toolbox.tools]
        self._warming = threading.Thread(target=toolbox.warm, daemon=True)

    def warm(self) -> None:
        """Import the engine after the first answer to the client and before its first call."""
        if self._warming.ident is None:
            self._warming.start()

    async def list_tools(self, ctx: Context, params: object) -> types.ListToolsResult:
        self.warm()
        return types.ListToolsResult(tools=self._tools)

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> tool_call.Result:
        return await tool_call.call(self._toolbox, ctx, params)

    async def list_prompts(self, ctx: Context, params: object) -> types.ListPromptsResult:
        await anyio.to_thread.run_sync(import_engine)
        from inlay.engine.formats import FORMATS

        rules = types.Prompt(
            name=_PATCH_RULES, title="Patch rules", description="How to write a patch for write_patch."
        )
        formats = [
            types.Prompt(
                name=f"{_FORMAT_PREFIX}{format.name}",
                title=format.title,
                description=f"Instructions for a model to reply with edits as {format.title}.",
            )
            for format in FORMATS.values()
        ]
        return types.ListPromptsResult(prompts=[rules, *formats])

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        await anyio.to_thread.run_sync(import_engine)
        from inlay.engine.formats import FORMATS
        from inlay.tools.calls.write_patch import DESCRIPTION

        texts = {f"{_FORMAT_PREFIX}{format.name}": format.prompt for format in FORMATS.values()}
        text = (texts | {_PATCH_RULES: DESCRIPTION}).get(params.name)
        if text is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name[:60]!r}")
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(messages=[message])

    async def list_resources(self, ctx: Context, params: object) -> types.ListResourcesResult:
        receipts = types.Resource(
            uri=_RECEIPTS, name="receipts", description="The changes, newest first.", mime_type=_JSON
        )
        log = types.Resource(uri=_LOG, name="log", description="The end of the audit log.", mime_type=_JSON)
        return types.ListResourcesResult(resources=[receipts, log])

    async def list_templates(self, ctx: Context, params: object) -> types.ListResourceTemplatesResult:
        receipt = types.ResourceTemplate(
            uri_template=f"{_RECEIPTS}/{{id}}", name="receipt", description="One change with its diff.", mime_type=_JSON
        )
        return types.ListResourceTemplatesResult(resource_templates=[receipt])

    async def read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            content = await anyio.to_thread.run_sync(_read, self._toolbox, uri)
        except InlayError as error:
            raise MCPError(_NOT_FOUND, str(error)) from None
        if content is None:
            raise MCPError(_NOT_FOUND, f"there is no resource {uri[:100]!r}")
        text = json.dumps(content, ensure_ascii=False)
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, text=text, mime_type=_JSON)]
        )

    async def initialized(self, ctx: Context, params: types.NotificationParams) -> None:
        self.warm()


def _read(toolbox: Toolbox, uri: str) -> dict[str, Any] | None:
    """The content of a resource; None if there is no such resource; raises UnknownReceipt."""
    import_engine()
    from inlay.tools import resources

    if uri == _RECEIPTS:
        return resources.receipts(toolbox.workspace)
    if uri == _LOG:
        return resources.log(toolbox.workspace)
    if uri.startswith(f"{_RECEIPTS}/"):
        return resources.receipt(toolbox.workspace, uri.removeprefix(f"{_RECEIPTS}/"))
    return None


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=dict(tool.output_schema),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.annotations.read_only,
            destructive_hint=tool.annotations.destructive,
            idempotent_hint=tool.annotations.idempotent,
            open_world_hint=False,
        ),
    )


def build(toolbox: Toolbox) -> Server[Any]:
    answers = ProjectServer(toolbox)
    server: Server[Any] = Server(
        "inlay",
        version=inlay.__version__,
        title="Inlay",
        instructions=_INSTRUCTIONS,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
    )
    server.add_notification_handler("notifications/initialized", types.NotificationParams, answers.initialized)
    return server
