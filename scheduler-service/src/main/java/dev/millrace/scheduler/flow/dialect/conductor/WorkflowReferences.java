package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.expression.ReferencePath;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Resolver of the paths that name the workflow itself, its secrets, or a variable of the environment. */
record WorkflowReferences(Compiling compiling, Mark mark, String path) {
    static final String WORKFLOW = "workflow";
    static final String TASK_ID = "CPEWF_TASK_ID";

    private static final String SECRETS = WORKFLOW + ".secrets.";
    /** Names of environment variables; tasks do not have such names. */
    private static final Pattern VARIABLE = Pattern.compile("[A-Z][A-Z0-9_]*");

    /** Whether a name could be one of a variable of the environment. */
    static boolean isVariable(String name) {
        return VARIABLE.matcher(name).matches();
    }

    /** The secret that a whole path names; empty for other paths. */
    Optional<Expression> findSecret(String whole) {
        if (!whole.startsWith(SECRETS)) {
            return Optional.empty();
        }
        String secret = whole.substring(SECRETS.length()).replace('.', '/');
        return ReferencePath.isValid(secret)
                ? Optional.of(new Path(new Root.Reference(ReferenceKind.SECRET, secret), List.of()))
                : problem(
                        "\"" + whole + "\" does not name a secret.",
                        "Write workflow.secrets.FOLDER.NAME; a path has " + ReferencePath.EXPECTED + ".");
    }

    /** A member of the workflow. */
    Optional<Expression> find(String member) {
        return switch (member) {
            case "input" -> Optional.of(new Path(new Root.Inputs(), List.of()));
            case "variables" -> Optional.of(new Path(new Root.Variables(), List.of()));
            case "workflowId" -> Optional.of(new Path(new Root.Run(), List.of()));
            case "workflowType" -> constant(compiling.workflowName());
            case "version" -> Optional.of(Composed.constant(JsonValue.of(compiling.workflowVersion())));
            case "createTime" -> Optional.of(new RunCreated());
            case "schemaVersion" -> Optional.of(Composed.constant(JsonValue.of(2)));
            case "status" -> constant("RUNNING");
            case "correlationId", "reasonForIncompletion" -> Optional.of(Composed.constant(JsonValue.NULL));
            case "parentWorkflowId", "parentWorkflowTaskId" ->
                problem(
                        "\"workflow." + member + "\" cannot be read: a sub-workflow is part of the run of its parent.",
                        "Read \"workflow.workflowId\", the run of the parent, or give the value as an input.");
            case "secrets" ->
                problem(
                        "\"workflow.secrets\" is not a value by itself, and the name of a secret cannot be computed.",
                        "Write workflow.secrets.FOLDER.NAME.");
            case "env" ->
                problem(
                        "\"workflow." + member + "\" cannot be read: the server gives workflows no such values.",
                        "Give the value as an input of the workflow, or configure it in the worker.");
            default ->
                missing(
                        "\"workflow" + (member.isEmpty() ? "" : "." + member)
                                + "\" is unknown here and evaluates to null.",
                        "Of the workflow there are input, variables, workflowId, workflowType, version, createTime, schemaVersion, status, "
                                + "correlationId and reasonForIncompletion.");
        };
    }

    /** Resolves a name that Conductor looks up in the environment of its server. */
    Optional<Expression> findVariable(String name, boolean ofJob) {
        if (name.equals(TASK_ID) && ofJob) {
            return Optional.of(new OwnJobId());
        }
        return name.equals(TASK_ID)
                ? missing(
                        "\"${" + TASK_ID
                                + "}\" is null here: only tasks that run on workers have an id, which they alone can read.",
                        "Name the task by \"${workflow.workflowId}\" and its taskReferenceName; a script asks its context for the "
                                + "key that all attempts of its step share.")
                : problem(
                        "\"${" + name
                                + "}\" would be a variable of the server's environment, which workflows cannot read.",
                        "Give the value as an input of the workflow, with a default in inputTemplate.");
    }

    private static Optional<Expression> constant(String text) {
        return Optional.of(Composed.constant(JsonValue.ofString(text)));
    }

    /** Resolves an unknown name to null, as Conductor does, with a warning. */
    private Optional<Expression> missing(String message, String remedy) {
        compiling.reading().warn(mark, path, message, remedy);
        return Optional.of(Composed.constant(JsonValue.NULL));
    }

    private Optional<Expression> problem(String message, String remedy) {
        compiling.reading().problem(mark, path, message, remedy);
        return Optional.empty();
    }
}
