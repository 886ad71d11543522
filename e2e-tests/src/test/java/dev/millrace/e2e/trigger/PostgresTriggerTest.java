package dev.millrace.e2e.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import java.io.UncheckedIOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows of another database start runs: each one exactly one, in order, while schedulers are killed. */
final class PostgresTriggerTest {
    private static final int ROUNDS = 4;
    private static final int ROWS_A_ROUND = 100;

    @Test
    @Tag("nightly")
    void eachRowStartsOneRunWhileSchedulersAreKilled() throws SQLException {
        try (Postgres shop = Postgres.start();
                Connection writer = shop.connect();
                Installation installation = Installation.start(
                        "postgres-trigger",
                        ClusterPlan.small()
                                .withSchedulers(2)
                                .withWorkers()
                                .with("millrace.trigger.allow-private", "true"))) {
            Api api = installation.api();
            execute(writer, "create table outbox (id bigserial primary key, content text)");
            api.put("/api/v1/resources/shop/db", Map.of("value", resource(shop.jdbcUrl())))
                    .ok();
            api.put(
                            "/api/v1/triggers/postgres/shop/rows",
                            Map.of(
                                    "run",
                                    Map.of("target", Map.of("handler", "consume")),
                                    "postgres",
                                    Map.of("connection", "shop/db", "table", "outbox", "channel", "added")))
                    .ok();

            for (int round = 0; round < ROUNDS; round++) {
                for (int row = 0; row < ROWS_A_ROUND; row++) {
                    if (row == ROWS_A_ROUND / 2) {
                        int killed = round % 2;
                        installation.cluster().scheduler(killed).kill();
                        installation.cluster().scheduler(killed).start();
                    }
                    execute(writer, "insert into outbox (content) values ('" + round + "'); notify added");
                }
                api.awaitReady();
            }
            int all = ROUNDS * ROWS_A_ROUND;
            Await.until("all rows have started runs", Api.PATIENCE.multipliedBy(3), () -> {
                try {
                    return states(api).filter("started"::equals).count() == all;
                } catch (UncheckedIOException | AssertionError away) {
                    return false;
                }
            });

            assertThat(states(api).filter("pending"::equals)).isEmpty();
            assertThat(pages(api, "/api/v1/runs"))
                    .as("runs of %s rows", all)
                    .hasSize(all)
                    .extracting(run -> api.run(run.path("id").asText())
                            .path("input")
                            .path("row")
                            .path("id")
                            .asInt())
                    .doesNotHaveDuplicates();
        }
    }

    private static Stream<String> states(Api api) {
        return pages(api, "/api/v1/trigger-events/postgres/shop/rows").stream()
                .map(event -> event.path("state").asText());
    }

    private static List<JsonNode> pages(Api api, String address) {
        List<JsonNode> items = new ArrayList<>();
        String token = "";
        do {
            JsonNode page =
                    api.get(address + "?page_size=500&page_token=" + token).ok();
            page.path("items").forEach(items::add);
            token = page.path("next_page_token").asText();
        } while (!token.isEmpty());
        return items;
    }

    private static Map<String, Object> resource(String jdbcUrl) {
        URI url = URI.create(jdbcUrl.substring("jdbc:".length()));
        Map<String, Object> resource = new HashMap<>();
        resource.put("host", url.getHost());
        resource.put("port", url.getPort());
        resource.put("dbname", url.getPath().substring(1));
        for (String parameter : url.getQuery().split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            if (parts[0].equals("user") || parts[0].equals("password")) {
                resource.put(parts[0], parts[1]);
            }
        }
        return resource;
    }

    private static void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }
}
