"""The MCP server of one project: its tools, prompts and resources."""

from __future__ import annotations

import threading
from typing import Any

import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

import inlay
from inlay.errors import InlayError
from inlay.mcp_server import format_prompts, mcp_resources, tool_call
from inlay.mcp_server.elicitation import Context
from inlay.tools import Tool, Toolbox

_NOT_FOUND = -32002
_INSTRUCTIONS = """\
These tools edit the files of one project: an edit is applied exactly where it belongs, or not at all. Read a file with
read_file, then edit it with apply_edits (by lines), replace_text (one text for another) or write_patch (a raw unified
diff). A refusal has kind "patch_error" and says what to correct; nothing was written then. kind "needs_approval" means
that the user must approve the change first. undo undoes a change. Paths are relative to the project's root.
"""


class ProjectServer:
    """Answers the requests for one project."""

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
        return types.ListPromptsResult(prompts=format_prompts.listed())

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        text = format_prompts.text(params.name)
        if text is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name[:60]!r}")
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(messages=[message])

    async def list_resources(self, ctx: Context, params: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=mcp_resources.listed())

    async def list_templates(self, ctx: Context, params: object) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=mcp_resources.templates())

    async def read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            text = await anyio.to_thread.run_sync(mcp_resources.read, self._toolbox, uri)
        except InlayError as error:
            raise MCPError(_NOT_FOUND, str(error)) from None
        if text is None:
            raise MCPError(_NOT_FOUND, f"there is no resource {uri[:100]!r}")
        content = types.TextResourceContents(uri=params.uri, text=text, mime_type="application/json")
        return types.ReadResourceResult(contents=[content])

    async def initialized(self, ctx: Context, params: types.NotificationParams) -> None:
        self.warm()


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
