package dev.millrace.task;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kind of task that the server runs without a worker: a function from an input to a result. Steps use it as
 * {@code handler: server.NAME}.
 *
 * <p>{@link java.util.ServiceLoader} finds the classes: the jar lies in the server's task folder and names them in
 * {@code META-INF/services/dev.millrace.task.ServerTask}. A class has a public constructor without parameters. One
 * object serves all jobs, from several threads at once.
 *
 * <p>A task should be fast and depend on its input alone: if a server is lost while the task runs, the task runs again
 * for the same step.
 */
public interface ServerTask {
    /** Name of lower-case letters, digits and hyphens, for example {@code slug}. */
    String name();

    /** What the task does, in one sentence for people. */
    String description();

    /**
     * JSON Schema (2020-12) of the input, which is an object. If the input of a step does not match, the step fails
     * before the task runs.
     */
    String inputSchema();

    /**
     * Runs one task.
     *
     * @param input value that matches the schema: maps with text keys, lists, strings, numbers, booleans and nulls
     * @return result, made of the same types
     * @throws Exception if the task fails; it is not retried. The exception's class names the error, and its message
     *     says what happened and what to do
     */
    @Nullable Object run(Map<String, ?> input) throws Exception;
}
