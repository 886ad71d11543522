package dev.millrace.task;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A kind of task that the server runs without a worker: a function from an input to a result. Steps use it as {@code handler: server.NAME}.
 *
 * <p>Found by {@link java.util.ServiceLoader}: the jar names its classes in {@code META-INF/services/dev.millrace.task.ServerTask} and lies in the
 * server's task folder. A class has a public constructor without parameters; one object serves all jobs, from several threads at once.
 *
 * <p>It should be quick and depend on its input alone: it may run more than once for the same step, where a server was lost while it ran.
 */
public interface ServerTask {
    /** Its name, of lower-case letters, digits and hyphens, for example {@code slug}. */
    String name();

    /** One sentence for people: what it does. */
    String description();

    /** JSON Schema (2020-12) of its input, which is an object. A step whose input does not fit fails before the task runs. */
    String inputSchema();

    /**
     * Runs one task.
     *
     * @param input what fits the schema, as maps with text keys, lists, strings, numbers, booleans and nulls
     * @return the result, made of the same
     * @throws Exception to fail the task, for good: its class names the error, its message says what and what to do
     */
    @Nullable Object run(Map<String, ?> input) throws Exception;
}
