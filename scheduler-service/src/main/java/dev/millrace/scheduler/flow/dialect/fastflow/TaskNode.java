package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.List;

/**
 * A task as read.
 *
 * @param needs tasks it depends on
 * @param needsMark where they stand
 * @param steps what it compiles to; the last one goes by its id
 */
record TaskNode(String id, Mark mark, String path, List<String> needs, Mark needsMark, List<Step> steps) {}
