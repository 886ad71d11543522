package dev.millrace.e2e.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.millrace.e2e.support.Installation;
import io.grpc.Channel;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Everything that can be read of an installation: over REST and gRPC by the owner of the installation, in its database,
 * and in the files of its services and workers. The receiver gets each text with the place where it stands.
 */
final class VisibleTexts {
    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** An address in the OpenAPI document, with its first method. */
    private static final Pattern READABLE_ADDRESS = Pattern.compile("(?m)^  (/\\S+):\\n(?:    parameters:.*\\n)?");

    private static final String SAME_ADDRESSES = "/api/v1/workspaces/{workspace}/";

    /** What addresses show only if they are asked for it. */
    private static final Map<String, String> QUERIES = Map.of(
            "/steps", "include_payloads=true&page_size=1000",
            "/events", "include_logs=true",
            "/logs", "page_size=1000",
            "/matches", "text=e&page_size=1000",
            "/audit-events", "all=true&page_size=1000",
            "/audit-events:export", "all=true",
            "/tokens", "all=true");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Installation installation;
    private final BiConsumer<String, String> receiver;

    VisibleTexts(Installation installation, BiConsumer<String, String> receiver) {
        this.installation = installation;
        this.receiver = receiver;
    }

    /** Reads all addresses of the OpenAPI document that only read, for these runs and flows. */
    int rest(Collection<String> runs, Collection<String> flows) throws IOException, InterruptedException {
        int answered = 0;
        for (String address : addresses()) {
            Collection<String> values =
                    address.contains("{id}") ? runs : address.contains("{path}") ? flows : List.of("");
            for (String value : values) {
                String path = address.replace("{id}", value).replace("{path}", value);
                if (!path.contains("{")) {
                    answered += pages(path) ? 1 : 0;
                }
            }
        }
        return answered;
    }

    private List<String> addresses() throws IOException, InterruptedException {
        String document = get("/api/v1/openapi.yaml");
        String paths = document.substring(document.indexOf("\npaths:"), document.indexOf("\ncomponents:"));
        List<String> addresses = new ArrayList<>();
        var found = READABLE_ADDRESS.matcher(paths);
        while (found.find()) {
            int end = paths.indexOf("\n  /", found.end() - 1);
            String operations = paths.substring(found.start(), end < 0 ? paths.length() : end);
            if (!found.group(1).startsWith(SAME_ADDRESSES) && operations.contains("\n    get:")) {
                addresses.add(found.group(1));
            }
        }
        return addresses;
    }

    /** Reads all pages, and returns whether there is something at the address. */
    private boolean pages(String path) throws IOException, InterruptedException {
        String query = QUERIES.getOrDefault(path.substring(path.lastIndexOf('/')), "");
        String token = "";
        do {
            String answer = get(path + "?" + query + (token.isEmpty() ? "" : "&page_token=" + encode(token)));
            if (answer.isEmpty()) {
                return false;
            }
            json("REST " + path, answer);
            token = nextPage(answer);
        } while (!token.isEmpty());
        return true;
    }

    /** The content of an address; empty if it has none. */
    private String get(String path) throws IOException, InterruptedException {
        URI uri = installation
                .cluster()
                .gatewayUrl()
                .resolve(path.endsWith("?") ? path.substring(0, path.length() - 1) : path);
        var answer = http.send(HttpRequest.newBuilder(uri).timeout(CALL_LIMIT).build(), BodyHandlers.ofString());
        return answer.statusCode() == 200 ? answer.body() : "";
    }

    private static String nextPage(String answer) {
        try {
            return JSON.readTree(answer).path("next_page_token").asText();
        } catch (JsonProcessingException noJson) {
            return "";
        }
    }

    /** Calls all methods that only read, for this run, and returns the number of answers. */
    int grpc(Channel channel, String run, String flow) {
        int answers = 0;
        for (RpcMethod method : RpcMethod.all(channel)) {
            if (method.reads()) {
                List<Message> read = method.read(channel, Map.of("run_id", run, "path", flow));
                read.forEach(answer -> message("gRPC " + method.name(), answer));
                answers += read.size();
            }
        }
        return answers;
    }

    void message(String where, Message message) {
        message.getAllFields().forEach((field, value) -> {
            for (Object single : value instanceof List<?> list ? list : List.of(value)) {
                switch (single) {
                    case Message inner -> message(where, inner);
                    case ByteString bytes -> json(where, bytes.toStringUtf8());
                    case String text -> json(where, text);
                    default -> {}
                }
            }
        });
    }

    /** Reads all columns of all rows of all tables, and returns the number of rows. */
    int database() throws SQLException {
        int rows = 0;
        try (Connection connection =
                        DriverManager.getConnection(installation.postgres().jdbcUrl());
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet names = statement.executeQuery(
                    "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname not in"
                            + " ('pg_catalog', 'information_schema')")) {
                while (names.next()) {
                    tables.add(names.getString(1));
                }
            }
            for (String table : tables) {
                try (ResultSet row = statement.executeQuery("select * from " + table)) {
                    for (; row.next(); rows++) {
                        row("table " + table, row);
                    }
                }
            }
        }
        return rows;
    }

    private void row(String table, ResultSet row) throws SQLException {
        for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
            String where = table + "." + row.getMetaData().getColumnName(column);
            String text = row.getString(column);
            if (text == null) {
                continue;
            }
            json(where, text);
            if (row.getMetaData().getColumnTypeName(column).equals("bytea")) {
                json(where, new String(row.getBytes(column), UTF_8));
                receiver.accept(where, new String(row.getBytes(column), ISO_8859_1));
            }
        }
    }

    /**
     * Reads the logs of all services, and the folders of all workers, and returns the number of files. Those that go
     * meanwhile, as caches of Deno do, are left out.
     */
    int files() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(installation.cluster().folder())) {
            files = all.filter(Files::isRegularFile).toList();
        }
        int read = 0;
        for (Path file : files) {
            try {
                receiver.accept("file " + file, new String(Files.readAllBytes(file), UTF_8));
                read++;
            } catch (NoSuchFileException gone) {
                // There is nothing to read any more.
            }
        }
        return read;
    }

    /** Passes on the text, and what it means if it is JSON. */
    private void json(String where, String text) {
        receiver.accept(where, text);
        if (text.startsWith("{") || text.startsWith("[") || text.startsWith("\"")) {
            try {
                json(where, JSON.readTree(text));
            } catch (JsonProcessingException noJson) {
                return;
            }
        }
    }

    void json(String where, JsonNode value) {
        if (value.isValueNode()) {
            receiver.accept(where, value.asText());
        }
        value.fieldNames().forEachRemaining(name -> receiver.accept(where, name));
        value.forEach(member -> json(where, member));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
