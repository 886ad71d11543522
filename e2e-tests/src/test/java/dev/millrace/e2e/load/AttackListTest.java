package dev.millrace.e2e.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.ServiceProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All known ways to fill memory, one attack after another, against services with heaps of 256 MB. All services survive,
 * and the runs of a well-behaved client succeed meanwhile.
 *
 * <p>{@code -Dmillrace.test.attack-seconds=60} makes each attack longer, {@code -Dmillrace.test.attack-scale=3} makes
 * it larger, and {@code -Dmillrace.test.attacks=slow-readers} selects one.
 */
@Tag("nightly")
final class AttackListTest {
    private static final long ATTACK_SECONDS = Long.getLong("millrace.test.attack-seconds", 2);
    private static final int SCALE = Integer.getInteger("millrace.test.attack-scale", 1);
    private static final String CHOSEN = System.getProperty("millrace.test.attacks", "");

    private static final long ATTACK_NANOS = TimeUnit.SECONDS.toNanos(ATTACK_SECONDS);
    /**
     * Longest time of a run beside the attacks, including retries. On a busy machine with two cores the slowest takes
     * 18 s.
     */
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(45);

    private static final String RUNS = "/api/v1/runs";

    private static final String PROBE = "def main(number: int):\n    return number\n";
    private static final String TALKATIVE = """
            def main(lines: int, result: int):
                for number in range(lines):
                    print("x" * 1000)
                return "r" * result
            """;

    /** One kind of load, which ends on its own. */
    private interface Attack {
        void run(Installation installation, String talkativeRun, List<AutoCloseable> opened) throws Exception;
    }

    private static Map<String, Attack> attacks() {
        var attacks = new LinkedHashMap<String, Attack>();
        attacks.put("large-bodies", (installation, _, opened) -> {
            var attacker = http(installation, opened);
            atOnce(86 * SCALE, () -> attacker.sendAllButTheEnd(RUNS, 8 << 20));
            hold();
        });
        attacks.put(
                "large-messages",
                (installation, _, opened) -> grpc(installation, opened).sendLargeMessages(12 * SCALE, 31 << 20));
        attacks.put(
                "many-elements",
                (installation, _, opened) -> grpc(installation, opened).sendManyElements(4 * SCALE, 2_000_000));
        attacks.put("held-folders", (installation, _, opened) -> {
            var attacker = grpc(installation, opened);
            atOnce(2 * SCALE, () -> attacker.floodHeldFolders(10_000, ATTACK_NANOS));
        });
        attacks.put("unknown-results", (installation, _, opened) -> {
            var attacker = grpc(installation, opened);
            atOnce(4 * SCALE, () -> attacker.floodUnknownResults(500, 2_000, true, ATTACK_NANOS));
        });
        attacks.put("tiny-results", (installation, _, opened) -> {
            var attacker = grpc(installation, opened);
            atOnce(4 * SCALE, () -> attacker.floodUnknownResults(20_000, 1, true, ATTACK_NANOS));
        });
        attacks.put("unread-answers", (installation, _, opened) -> {
            var attacker = grpc(installation, opened);
            atOnce(2 * SCALE, () -> attacker.floodUnknownResults(500, 1, false, ATTACK_NANOS));
            atOnce(2 * SCALE, () -> attacker.floodHeartbeats(ATTACK_NANOS));
        });
        attacks.put("slow-readers", (installation, run, opened) -> {
            var attacker = http(installation, opened);
            atOnce(100 * SCALE, () -> attacker.askAndNeverRead(RUNS + "/" + run + "/events?include_logs=true"));
            atOnce(50 * SCALE, () -> attacker.askAndNeverRead(RUNS + "/" + run + "/logs?follow=true"));
            atOnce(100 * SCALE, () -> attacker.askAndNeverRead(RUNS + "/" + run));
            hold();
        });
        attacks.put("slow-watchers", (installation, run, opened) -> {
            var attacker = grpc(installation, opened);
            atOnce(4 * SCALE, () -> attacker.watchAndNeverRead(run, 200));
            hold();
        });
        attacks.put("large-submissions", (installation, _, opened) -> {
            byte[] body = ("{\"target\":{\"handler\":\"nobody\"},\"input\":{\"text\":\"" + "é".repeat(1_500_000)
                            + "\"}}")
                    .getBytes(StandardCharsets.UTF_8);
            repeatedly(64 * SCALE, http(installation, opened), body);
        });
        attacks.put("deep-json", (installation, _, opened) -> {
            byte[] body = ("{\"target\":{\"handler\":\"nobody\"},\"input\":{\"deep\":" + "[".repeat(3_000_000) + "}}")
                    .getBytes(StandardCharsets.UTF_8);
            repeatedly(16 * SCALE, http(installation, opened), body);
        });
        attacks.put("large-batches", (installation, _, opened) -> {
            String item = "{\"target\":{\"handler\":\"nobody\"}}";
            byte[] body =
                    ("{\"items\":[" + (item + ",").repeat(200_000) + item + "]}").getBytes(StandardCharsets.UTF_8);
            var attacker = http(installation, opened);
            long end = System.nanoTime() + ATTACK_NANOS;
            atOnce(16 * SCALE, () -> {
                while (System.nanoTime() < end) {
                    attacker.send(RUNS + ":batch", body);
                }
            });
        });
        attacks.put("slow-headers", (installation, _, opened) -> {
            var attacker = http(installation, opened);
            atOnce(300 * SCALE, attacker::beginHeaders);
            hold();
        });
        return attacks;
    }

    @Test
    void othersRunOnWhileEveryAttackGoesToItsEnd() throws Exception {
        try (var installation = Installation.start("attack-list", ClusterPlan.small())) {
            Api api = installation.api();
            api.deployScript("load/probe.py", PROBE);
            api.deployScript("load/talkative.py", TALKATIVE);
            String talkative = api.runToEnd(Map.of(
                            "target", Map.of("script", "load/talkative.py"),
                            "input", Map.of("lines", 8_000, "result", 3_000_000)))
                    .path("id")
                    .asText();
            try (var probe = new Probe(
                    installation.cluster().gatewayUrl(), installation.api().contract(), "load/probe.py", PROBE_LIMIT)) {
                for (var attack : attacks().entrySet()) {
                    if (CHOSEN.isEmpty() || CHOSEN.equals(attack.getKey())) {
                        perform(attack.getKey(), attack.getValue(), installation, talkative);
                    }
                }
                probe.requireUnharmed();
            }
        }
    }

    private static void perform(String name, Attack attack, Installation installation, String talkative)
            throws Exception {
        long begun = System.nanoTime();
        var opened = new ArrayList<AutoCloseable>();
        try {
            attack.run(installation, talkative, opened);
        } finally {
            for (AutoCloseable attacker : opened) {
                attacker.close();
            }
        }
        System.out.printf("attack %s took %d ms%n", name, (System.nanoTime() - begun) / 1_000_000);
        var cluster = installation.cluster();
        for (ServiceProcess service : List.of(cluster.scheduler(0), cluster.gateway(), cluster.worker(0))) {
            assertThat(service.isAlive())
                    .as("%s lives after %s; it said: %s", service.name(), name, tail(service.output()))
                    .isTrue();
        }
    }

    private static void repeatedly(int clients, HttpAttacker attacker, byte[] body) throws InterruptedException {
        long end = System.nanoTime() + ATTACK_NANOS;
        atOnce(clients, () -> {
            while (System.nanoTime() < end) {
                attacker.send(RUNS, body);
            }
        });
    }

    /** Work of one attacker, who may be disconnected. */
    private interface Part {
        void act() throws IOException;
    }

    private static void atOnce(int count, Part part) throws InterruptedException {
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < count; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    part.act();
                } catch (IOException refused) {
                    // The service has closed the connection.
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Keeps everything opened unchanged for the time of an attack. */
    private static void hold() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(ATTACK_NANOS);
    }

    private static HttpAttacker http(Installation installation, List<AutoCloseable> opened) {
        var attacker = new HttpAttacker(installation.cluster().gatewayUrl());
        opened.add(attacker);
        return attacker;
    }

    private static GrpcAttacker grpc(Installation installation, List<AutoCloseable> opened) {
        var attacker = new GrpcAttacker(installation.cluster().schedulerAddress(0));
        opened.add(attacker);
        return attacker;
    }

    private static String tail(String output) {
        return output.substring(Math.max(0, output.length() - 2_000));
    }
}
