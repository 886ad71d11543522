package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tasks whose times other tasks read. A step before and after such a task records the time as its result. The time is
 * thus part of the run's history and never changes.
 */
record TimeNotes(Set<String> begun, Set<String> ended) {
    static final String END = "endTime";

    private static final Pattern READ = Pattern.compile("([A-Za-z0-9_-]+)\\.(scheduledTime|startTime|endTime)\\b");

    TimeNotes {
        begun = Set.copyOf(begun);
        ended = Set.copyOf(ended);
    }

    /** Collects the times that the texts of a workflow read. */
    static TimeNotes of(Fields workflow) {
        Set<String> begun = new HashSet<>();
        Set<String> ended = new HashSet<>();
        workflow.entries().forEach(entry -> collect(entry.value(), begun, ended));
        return new TimeNotes(begun, ended);
    }

    private static void collect(SourceNode node, Set<String> begun, Set<String> ended) {
        switch (node) {
            case SourceNode.Text text
            when text.text().contains("${") -> {
                Matcher read = READ.matcher(text.text());
                while (read.find()) {
                    (read.group(2).equals(END) ? ended : begun).add(read.group(1));
                }
            }
            case SourceNode.Text _, SourceNode.Literal _ -> {}
            case SourceNode.Sequence sequence -> sequence.items().forEach(item -> collect(item, begun, ended));
            case SourceNode.Mapping mapping -> mapping.entries().forEach(entry -> collect(entry.value(), begun, ended));
        }
    }

    /**
     * Whether a task can have its times recorded. An additional step beside a fork or a join would separate the two.
     */
    static boolean canHave(TaskNode task) {
        return switch (task.type()) {
            case FORK_JOIN, FORK_JOIN_DYNAMIC, JOIN, EXCLUSIVE_JOIN, TERMINATE -> false;
            default -> true;
        };
    }

    boolean hasBegin(TaskNode task) {
        return canHave(task) && begun.contains(task.reference());
    }

    boolean hasEnd(TaskNode task) {
        return canHave(task) && ended.contains(task.reference());
    }

    static String scheduled(TaskNode task) {
        return task.reference() + "-scheduled-at";
    }

    static String ended(TaskNode task) {
        return task.reference() + "-ended-at";
    }

    /** Makes the step that records the time. */
    static Step step(String id, List<String> needs) {
        return new Step(id, needs, new StepAction.Compute(new Template.Whole(new Moment())));
    }
}
