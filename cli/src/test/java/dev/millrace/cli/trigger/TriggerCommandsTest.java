package dev.millrace.cli.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.CliRunner.Outcome;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TriggerCommandsTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void tellsTheAddressOfAWebhook() {
        String webhook = """
                {"path":"shop/in coming","kind":"webhook","version":1,"paused":false,"run":{"target":{"flow":"shop/order"}},
                 "webhook":{"scheme":"github","secrets":["shop/key"]},"create_time":"2026-01-01T00:00:00Z"}""";
        gateway.on("GET /triggers/webhook/shop/in%20coming", 200, webhook)
                .on("GET /triggers/webhook", 200, "{\"items\":[" + webhook + "]}");

        String address = gateway.url() + "/hooks/default/shop/in%20coming";
        assertThat(run("list", "--kind", "webhook").output()).contains(address);
        assertThat(run("get", "webhook", "shop/in coming").output())
                .startsWith("address  " + address + "\npath     shop/in coming\n")
                .contains("webhook  {\n           \"scheme\": \"github\",");
        assertThat(run("get", "webhook", "shop/in coming", "-o", "json").output())
                .startsWith("{\n  \"path\": \"shop/in coming\",");
    }

    private Outcome run(String verb, String... arguments) {
        return CliRunner.run(Stream.concat(
                        Stream.of("triggers", verb),
                        Stream.concat(Stream.of(arguments), Stream.of("--server=" + gateway.url())))
                .toArray(String[]::new));
    }

    @Test
    void namesTheFileAndTheTriggerThatIsRefused(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("pay.yaml");
        Files.writeString(file, """
                path: shop/pay
                run: {target: {flow: shop/order}}
                webhook: {scheme: github, secrets: [shop/key]}
                """);
        gateway.on("PUT /triggers/webhook/shop/pay", 404, "{\"detail\":\"There is no secret shop/key.\"}");

        Outcome outcome = CliRunner.run("triggers", "apply", file.toString(), "--server=" + gateway.url());

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(outcome.errors()).isEqualTo(file + ": webhook trigger \"shop/pay\": There is no secret shop/key.\n");
    }
}
