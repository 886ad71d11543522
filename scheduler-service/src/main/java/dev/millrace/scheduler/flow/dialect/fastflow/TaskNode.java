package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.List;

/**
 * A task of the definition with the steps that it became.
 *
 * @param needs ids of the tasks in {@code dependOn}
 * @param needsMark position of {@code dependOn}
 * @param steps compiled steps; the last one has the id of the task
 */
record TaskNode(String id, Mark mark, String path, List<String> needs, Mark needsMark, List<Step> steps) {}
