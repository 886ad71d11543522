package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that commands ask for lists as the gateway gives them, with pages or without. */
class ListCommandsTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @ParameterizedTest
    @CsvSource({
        "schedules list, /schedules",
        "schedules versions shop/nightly, /schedule-versions/shop/nightly",
        "schedules backfills shop/nightly, /schedule-backfills/shop/nightly",
        "schedules history shop/nightly, /schedule-history/shop/nightly",
        "triggers history webhook shop/pay, /trigger-events/webhook/shop/pay",
        "event-handlers list, /event-handlers",
        "event-handlers history shop/paid, /event-executions/shop/paid",
        "alerts list, /alerts",
        "resources list, /resources",
        "resources types, /resource-types",
        "secrets list, /secrets",
        "flows list, /flows",
        "scripts list, /scripts",
        "queues limits, /limits",
        "workers list, /workers",
        "runs waiting, /pending-waits",
        "roles list, /roles",
        "users list, /users",
        "owners list, /owners",
        "service-accounts list, /service-accounts",
        "tokens list, /tokens",
        "trusts list, /trusts",
        "workspaces list, /workspaces",
        "blobs list, /blobs",
        "audit list, /audit-events"
    })
    void asksForAListAsTheGatewayGivesIt(String command, String address) {
        gateway.on("GET " + address, 200, "{\"items\":[]}");
        List<String> arguments = new ArrayList<>();
        Collections.addAll(arguments, command.split(" ", -1));
        arguments.add("--server=" + gateway.url());

        CliRunner.Outcome outcome = CliRunner.run(arguments.toArray(String[]::new));

        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
    }
}
