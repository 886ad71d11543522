package dev.millrace.scheduler.expression.jq;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.scheduler.expression.EvaluationFailed;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.thisptr.jackson.jq.JsonQuery;
import net.thisptr.jackson.jq.exception.JsonQueryException;

/**
 * Runs queries in threads of their own. Calls are metered; what cannot be interrupted, such as a regular expression, is left behind
 * with its thread: it holds up one of the few threads, but not whoever asked.
 */
final class Runner {
    private static final int THREADS_MAX = 4;
    /** Longest wait for a query. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(1);

    private static final int MESSAGE_CHARS_MAX = 500;
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final Semaphore FREE = new Semaphore(THREADS_MAX);
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(
            Thread.ofPlatform().name("millrace-jq-", 1).daemon().factory());

    private Runner() {}

    /** What a query puts out, as JSON. */
    static String run(JsonQuery query, String source, String input) {
        try {
            if (!FREE.tryAcquire(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                throw stopped(source, "other queries keep all " + THREADS_MAX + " threads busy");
            }
            return started(query, input).get(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw stopped(source, "it took longer than " + WAIT_MAX.toMillis() + " ms");
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw stopped(source, "the scheduler is stopping");
        } catch (ExecutionException failed) {
            throw failure(source, requireNonNull(failed.getCause()));
        }
    }

    private static Future<String> started(JsonQuery query, String input) {
        return THREADS.submit(() -> {
            try {
                return outputs(query, input);
            } finally {
                FREE.release();
            }
        });
    }

    private static String outputs(JsonQuery query, String input) throws JsonProcessingException, JsonQueryException {
        Meter.start();
        StringBuilder list = new StringBuilder();
        StringBuilder first = new StringBuilder("null");
        query.apply(Builtins.scope(), MAPPER.readTree(input), output -> {
            Meter.tick();
            String text = output.toString();
            if (list.isEmpty()) {
                first.replace(0, first.length(), text);
            }
            list.append(list.isEmpty() ? "" : ",").append(text);
            if (list.length() > Meter.CHARS_MAX) {
                throw new Meter.Exceeded("it put out more than " + Meter.CHARS_MAX + " characters");
            }
        });
        return "{\"result\":" + first + ",\"resultList\":[" + list + "]}";
    }

    private static EvaluationFailed failure(String source, Throwable cause) {
        return switch (cause) {
            case Meter.Exceeded exceeded -> stopped(source, String.valueOf(exceeded.getMessage()));
            case StackOverflowError _ -> stopped(source, "it calls itself too deep");
            case OutOfMemoryError _ -> stopped(source, "it ran out of memory");
            default ->
                new EvaluationFailed(
                        "ExpressionFailed",
                        "The query \"" + source.strip() + "\" failed: " + shortened(String.valueOf(cause.getMessage()))
                                + ".");
        };
    }

    private static EvaluationFailed stopped(String source, String what) {
        return new EvaluationFailed(
                "ExpressionLimit",
                "The query \"" + source.strip() + "\" was stopped: " + what + ". Do such work in a task.");
    }

    private static String shortened(String message) {
        return message.length() <= MESSAGE_CHARS_MAX ? message : message.substring(0, MESSAGE_CHARS_MAX) + "…";
    }
}
