package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.JobTarget;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A step of a resolved flow.
 *
 * @param id its id
 * @param work what it does
 * @param needs how many steps must end before it begins
 * @param successors steps of its graph that need it
 * @param uses steps of its graph whose results it, or anything inside it, reads
 * @param readers how many nodes of its graph, the output included, read its own result
 */
record Node(String id, Work work, int needs, List<Integer> successors, List<Integer> uses, int readers) {
    /** What a node does. */
    sealed interface Work {
        /** The kind it has in history. */
        StepKind kind();
    }

    /** A job on a worker. */
    record Task(JobTarget target, String name, Template input, JobOptions options) implements Work {
        @Override
        public StepKind kind() {
            return switch (target) {
                case JobTarget.Script script -> StepKind.SCRIPT;
                case JobTarget.Handler handler -> StepKind.HANDLER;
            };
        }
    }

    /** A loop. */
    record ForEach(Template items, int parallelism, Graph body) implements Work {
        @Override
        public StepKind kind() {
            return StepKind.FOR_EACH;
        }
    }

    /** A choice; branch {@code cases.size()} is {@code otherwise}. */
    record Switch(Optional<Template> value, List<Branch> cases, Optional<Graph> otherwise) implements Work {
        /** All branches, the default last. */
        List<Graph> branches() {
            return Stream.concat(cases.stream().map(Branch::graph), otherwise.stream())
                    .toList();
        }

        @Override
        public StepKind kind() {
            return StepKind.SWITCH;
        }
    }

    /** A wait. */
    record Wait(StepAction.WaitFor until) implements Work {
        @Override
        public StepKind kind() {
            return StepKind.WAIT;
        }
    }

    /** A run of its own to start. */
    record RunStart(Template flow, Template input) implements Work {
        @Override
        public StepKind kind() {
            return StepKind.START_RUN;
        }
    }

    /** A value. */
    record Compute(Template result) implements Work {
        @Override
        public StepKind kind() {
            return StepKind.COMPUTE;
        }
    }

    /** An early end of the run. */
    record Terminate(StepAction.Terminate end) implements Work {
        @Override
        public StepKind kind() {
            return StepKind.TERMINATE;
        }
    }

    /** A branch of a choice. */
    record Branch(StepAction.Test test, Graph graph) {}
}
