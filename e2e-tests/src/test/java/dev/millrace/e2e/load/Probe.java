package dev.millrace.e2e.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.contract.Contract;
import dev.millrace.contract.Exchange;
import dev.millrace.e2e.support.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Well-behaved client: submits a run every second and waits for its result. If the gateway asks it to retry later, it
 * does so with the same key. Thread-safe.
 */
final class Probe implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration CALL_LIMIT = Duration.ofSeconds(15);
    /** Statuses after which the client retries: too many requests, service unavailable, gateway timeout. */
    private static final Set<Integer> REPEATED_STATUSES = Set.of(429, 503, 504);

    /** Result of one run; {@code problem} is empty if the run's output was right. */
    record Attempt(int number, Duration took, int repeats, String problem) {}

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final URI runs;
    private final Contract contract;
    private final String script;
    private final Duration limit;
    private final List<Attempt> attempts = new ArrayList<>();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    /**
     * @param script script that returns its argument {@code number}
     * @param limit longest time of a run, including retries
     */
    Probe(URI gateway, Contract contract, String script, Duration limit) {
        this.runs = gateway.resolve("/api/v1/runs?wait=10s");
        this.contract = contract;
        this.script = script;
        this.limit = limit;
        this.thread = Thread.ofPlatform().name("probe").start(this::runUntilStopped);
    }

    /** Stops. Fails unless there were runs, and each had the right output in time. */
    void requireUnharmed() throws InterruptedException {
        List<Attempt> all = finish();
        System.out.printf(
                "%d runs beside the test, %d of them repeated, slowest %s%n",
                all.size(),
                all.stream().filter(attempt -> attempt.repeats() > 0).count(),
                all.stream().max(Comparator.comparing(Attempt::took)));
        assertThat(all)
                .isNotEmpty()
                .allSatisfy(attempt -> assertThat(attempt.problem())
                        .as("run %d", attempt.number())
                        .isEmpty());
    }

    /** Stops, and returns all attempts so far. */
    List<Attempt> finish() throws InterruptedException {
        stop.countDown();
        thread.join();
        return List.copyOf(attempts);
    }

    @Override
    public void close() {
        stop.countDown();
        http.shutdownNow();
    }

    private void runUntilStopped() {
        try {
            for (int number = 1; !stop.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS); number++) {
                attempts.add(attempt(number));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private Attempt attempt(int number) throws InterruptedException {
        long begun = System.nanoTime();
        String key = UUID.randomUUID().toString();
        String last = "";
        for (int repeats = 0; ; repeats++) {
            try {
                HttpResponse<String> answer = submit(number, key);
                if (answer.statusCode() == 200 && isRight(Json.parse(answer.body()), number)) {
                    return new Attempt(number, since(begun), repeats, "");
                }
                last = answer.statusCode() + " " + answer.body();
                if (answer.statusCode() != 200 && !REPEATED_STATUSES.contains(answer.statusCode())) {
                    return new Attempt(number, since(begun), repeats, last);
                }
            } catch (IOException broken) {
                last = broken.toString();
            } catch (AssertionError undescribed) {
                return new Attempt(number, since(begun), repeats, String.valueOf(undescribed.getMessage()));
            }
            if (since(begun).compareTo(limit) > 0) {
                return new Attempt(number, since(begun), repeats, "no result in time; last answer: " + last);
            }
            TimeUnit.MILLISECONDS.sleep(INTERVAL.toMillis());
        }
    }

    private static boolean isRight(JsonNode run, int number) {
        return run.path("state").asText().equals("succeeded")
                && run.path("output").asInt() == number;
    }

    private HttpResponse<String> submit(int number, String key) throws IOException, InterruptedException {
        Map<String, Object> run = Map.of("target", Map.of("script", script), "input", Map.of("number", number));
        HttpRequest request = HttpRequest.newBuilder(runs)
                .timeout(CALL_LIMIT)
                .header("content-type", "application/json")
                .header("idempotency-key", key)
                .POST(BodyPublishers.ofString(Json.of(run).toString()))
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        contract.check(Exchange.of(request, answer));
        return answer;
    }

    private static Duration since(long begunNanos) {
        return Duration.ofNanos(System.nanoTime() - begunNanos);
    }
}
