import type { CallToolResult } from '@modelcontextprotocol/server';
import { TRPCError } from '@trpc/server';
import { type Caller, refusalOf, type Tool } from './tool.js';
import { describeFailure } from './tool-errors.js';

/** Calls a tool. What fails is told in the result, for the model that called it. */
export async function callTool(
  { procedure, annotations, input, call }: Tool,
  args: unknown,
  { caller, reportError }: { caller: Caller; reportError: (error: unknown) => void },
): Promise<CallToolResult> {
  try {
    const refusal = refusalOf(caller, procedure);
    if (refusal) throw refusal;
    const parsed = input.safeParse(args ?? {});
    if (!parsed.success) throw new TRPCError({ code: 'UNPROCESSABLE_CONTENT', cause: parsed.error });
    if (!annotations.readOnlyHint) caller.beginWrite();
    const result = await call(parsed.data, caller);
    // Clients without structured content read the text.
    return { content: textContent(JSON.stringify(result)), structuredContent: { ...result } };
  } catch (error) {
    const { message, isInternal } = describeFailure(error);
    if (isInternal) reportError(error);
    return { content: textContent(message), isError: true };
  }
}

const textContent = (text: string): CallToolResult['content'] => [{ type: 'text', text }];
