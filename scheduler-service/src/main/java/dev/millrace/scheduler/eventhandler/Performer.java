package dev.millrace.scheduler.eventhandler;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.dialect.conductor.ConductorNames;
import dev.millrace.scheduler.operation.Operations;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.signal.TaskSignals;
import dev.millrace.scheduler.submission.PreparedSubmission;
import dev.millrace.scheduler.submission.Submissions;
import dev.millrace.scheduler.trigger.StartQuota;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Does what was decided. Each action has a request id of its own, so that an action which is repeated changes nothing more.
 * Blocking and thread-safe.
 */
final class Performer {
    private final Submissions submissions;
    private final StartQuota quota;
    private final Operations operations;
    private final Runs runs;
    private final TaskSignals tasks;

    Performer(Submissions submissions, StartQuota quota, Operations operations, Runs runs, TaskSignals tasks) {
        this.submissions = submissions;
        this.quota = quota;
        this.operations = operations;
        this.runs = runs;
        this.tasks = tasks;
    }

    /**
     * Does an action.
     *
     * @return what was done, if that is not plain
     * @throws MillraceException if it cannot be done, now or ever
     */
    String perform(ClaimedExecution planned, Access by) {
        Map<String, JsonValue> details =
                JsonValue.of(planned.plan().orElse("{}")).members();
        return switch (ActionKind.find(planned.action()).orElseThrow()) {
            case START_WORKFLOW -> start(planned, details, by);
            case COMPLETE_TASK -> tell(planned, details, true, by);
            case FAIL_TASK -> tell(planned, details, false, by);
            case TERMINATE_WORKFLOW -> terminate(planned, details, by);
        };
    }

    private String start(ClaimedExecution planned, Map<String, JsonValue> details, Access by) {
        RunId id = planned.startedRun().orElseThrow();
        String path = ConductorNames.flowPath(text(details, "name"), details.getOrDefault("version", JsonValue.NULL));
        PreparedSubmission prepared = submissions.one(
                by,
                planned.workspace(),
                EventHandlerProtos.run(path, details.getOrDefault("input", JsonValue.EMPTY_OBJECT)));
        quota.take(
                by,
                planned.workspace(),
                prepared.submission().runs().getFirst().input().text().length());
        RequestId request = new RequestId("event handler " + id, sha256(id.toString()));
        RunId accepted = submissions.submit(prepared.as(id, request)).firstRun();
        return accepted.equals(id) ? "" : "The flow has merged the run into " + accepted + ".";
    }

    private String tell(ClaimedExecution planned, Map<String, JsonValue> details, boolean isSuccess, Access by) {
        String task = text(details, "taskId");
        Optional<TaskSignals.Task> named = task.isEmpty()
                ? Optional.empty()
                : Optional.of(tasks.find(task)
                        .orElseThrow(() -> new MillraceException(
                                ErrorCode.NOT_WAITING, "No task with the id " + task + " waits.")));
        RunRef run = named.map(found -> new RunRef(planned.workspace(), found.run()))
                .orElseGet(() -> run(planned, text(details, "workflowId")));
        require(run, by);
        TaskSignals.End end = new TaskSignals.End(
                isSuccess,
                details.getOrDefault("output", JsonValue.EMPTY_OBJECT).json(),
                text(details, "reasonForIncompletion"),
                by.name(),
                "event handler " + planned.key().text());
        String step = named.isPresent()
                ? tasks.endStep(run, named.get().step(), end)
                : tasks.endTask(run, text(details, "taskRefName"), end);
        return step.isEmpty()
                ? "No task waits for it yet, so the run keeps it."
                : "It has ended the step " + step + ".";
    }

    private String terminate(ClaimedExecution planned, Map<String, JsonValue> details, Access by) {
        RunRef run = run(planned, text(details, "workflowId"));
        require(run, by);
        var _ = operations.operate(
                run,
                new RunOperation.Cancel(),
                new OperationNote(
                        by.name(),
                        text(details, "terminationReason"),
                        "event handler " + planned.key().text()));
        return "";
    }

    private void require(RunRef run, Access by) {
        String none = "There is no run " + run.id() + ".";
        String name = runs.findName(run).orElseThrow(() -> new MillraceException(ErrorCode.RUN_NOT_FOUND, none));
        if (!by.allows(Role.VIEWER, run.workspace(), name)) {
            throw MillraceException.hiding(ErrorCode.RUN_NOT_FOUND, none);
        }
        by.require(Role.RUNNER, run.workspace(), name);
    }

    private static RunRef run(ClaimedExecution planned, String id) {
        try {
            return new RunRef(planned.workspace(), RunId.parse(id));
        } catch (IllegalArgumentException notAnId) {
            throw new MillraceException(
                    ErrorCode.RUN_NOT_FOUND,
                    "workflowId is \"" + id + "\", which is no id of a run: read it from the message, such as"
                            + " ${workflowInstanceId}.");
        }
    }

    private static String text(Map<String, JsonValue> details, String key) {
        JsonValue value = details.getOrDefault(key, JsonValue.NULL);
        return switch (value.kind()) {
            case STRING -> value.string();
            case NULL -> "";
            case OBJECT, ARRAY, NUMBER, BOOLEAN -> value.text();
        };
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
