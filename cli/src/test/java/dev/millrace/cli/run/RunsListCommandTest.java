package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RunsListCommandTest {
    private static final String FIRST = "{\"id\":\"r2\",\"name\":\"wordcount\",\"state\":\"running\"}";
    private static final String SECOND = "{\"id\":\"r1\",\"name\":\"hello\",\"state\":\"failed\"}";

    @Test
    void readsAllPagesUpToTheLimit() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /runs", 200, "{\"items\":[%s],\"next_page_token\":\"next\"}".formatted(FIRST))
                    .on("GET /runs", 200, "{\"items\":[%s],\"next_page_token\":\"\"}".formatted(SECOND));

            CliRunner.Outcome outcome =
                    CliRunner.run("runs", "list", "--state", "running,failed", "--server", gateway.url());

            assertThat(outcome.output()).isEqualTo("""
                    ID  NAME       STATE    CREATED  TOOK  QUEUED  STARTED BY
                    r2  wordcount  running
                    r1  hello      failed
                    """);
            assertThat(gateway.requests().getLast().path())
                    .isEqualTo("/runs?state=running&state=failed&page_size=19&page_token=next");
        }
    }

    @Test
    void looksForRunsByNameAndTime() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /runs", 200, "{\"items\":[],\"next_page_token\":\"\"}");

            CliRunner.Outcome outcome = CliRunner.run(
                    "runs", "list", "--name", "hello.py", "--since", "2026-01-31T08:00:00Z", "--server", gateway.url());

            assertThat(outcome.output()).isEqualTo("No run matches.\n");
            assertThat(gateway.requests().getFirst().path())
                    .isEqualTo("/runs?name=hello.py&created_from=2026-01-31T08%3A00%3A00Z&page_size=20");
        }
    }

    @Test
    void looksForRunsOfTheLastHour() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /runs", 200, "{\"items\":[],\"next_page_token\":\"\"}");
            Instant before = Instant.now();

            CliRunner.run("runs", "list", "--since", "1h", "--server", gateway.url());

            Matcher since = Pattern.compile("created_from=([^&]+)")
                    .matcher(gateway.requests().getFirst().path());
            assertThat(since.find()).isTrue();
            assertThat(Instant.parse(URLDecoder.decode(since.group(1), StandardCharsets.UTF_8)))
                    .isBetween(before.minusSeconds(3601), Instant.now().minusSeconds(3600));
        }
    }

    @Test
    void saysHowATimeIsWritten() {
        CliRunner.Outcome outcome = CliRunner.run("runs", "list", "--since", "yesterday");

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.USAGE.number());
        assertThat(outcome.errors())
                .contains("\"yesterday\" is not a time (expected: RFC 3339, or how long ago: 90m, 1h, 7d)");
    }

    @Test
    void looksForRunsByInputOutputAndTagOnAllPages() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on(
                            "GET /runs",
                            200,
                            "{\"items\":[],\"next_page_token\":\"next\",\"searched_back_to\":\"2026-01-31T08:00:00Z\"}")
                    .on("GET /runs", 200, "{\"items\":[%s],\"next_page_token\":\"\"}".formatted(FIRST));

            CliRunner.Outcome outcome = CliRunner.run(
                    "runs",
                    "list",
                    "--with-input",
                    "customer.id=42",
                    "--with-input",
                    "note~a b",
                    "--with-output",
                    "status=done",
                    "--tag",
                    "gpu",
                    "--started-by",
                    "webhook shop/order",
                    "--server",
                    gateway.url());

            assertThat(outcome.output()).contains("r2");
            assertThat(gateway.requests().getFirst().path())
                    .isEqualTo(
                            "/runs?input=customer.id%3D42&input=note%7Ea%20b&output=status%3Ddone&tag=gpu&started_by=webhook%20shop%2Forder&page_size=20");
        }
    }

    @Test
    void saysWhoOrWhatStartedARun() {
        try (FakeGateway gateway = FakeGateway.start()) {
            String run = "{\"id\":\"%s\",\"name\":\"f\",\"state\":\"succeeded\",\"started_by\":\"ada\"%s}";
            gateway.on(
                    "GET /runs",
                    200,
                    "{\"items\":[%s,%s,%s],\"next_page_token\":\"\"}"
                            .formatted(
                                    run.formatted("r1", ""),
                                    run.formatted("r2", ",\"trigger\":{\"kind\":\"webhook\",\"path\":\"shop/order\"}"),
                                    run.formatted("r3", ",\"origin\":{\"run_id\":\"r1\",\"relation\":\"rerun\"}")));

            CliRunner.Outcome outcome = CliRunner.run("runs", "list", "--server", gateway.url());

            assertThat(outcome.output().lines())
                    .anyMatch(line -> line.startsWith("ID") && line.contains("STARTED BY"))
                    .anyMatch(line -> line.contains("r1") && line.endsWith("ada"))
                    .anyMatch(line -> line.contains("r2") && line.endsWith("webhook shop/order"))
                    .anyMatch(line -> line.contains("r3") && line.endsWith("run r1"));
        }
    }

    @Test
    void printsTheItemsAsJson() {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("GET /runs", 200, "{\"items\":[%s],\"next_page_token\":\"\"}".formatted(SECOND));

            CliRunner.Outcome outcome = CliRunner.run("runs", "list", "-o", "json", "--server", gateway.url());

            assertThat(outcome.output().replaceAll("\\s", "")).isEqualTo("{\"items\":[" + SECOND + "]}");
        }
    }
}
