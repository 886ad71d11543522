package dev.millrace.cli.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.client.Connection;
import dev.millrace.cli.client.Token;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConnectionsTest {
    private static final Contexts CONTEXTS = Contexts.NONE
            .with("prod", context("https://prod.example", "team-a", "prod-token"))
            .with("test", context("https://test.example", "team-b", "test-token"))
            .using("prod");

    @Test
    void takesTheOwnMachineIfNothingIsNamed() {
        Connection connection =
                Connections.choose(options("", "", ""), Map.of(), Contexts.NONE).connection();

        assertThat(connection).isEqualTo(Connection.to(URI.create("http://localhost:8400")));
    }

    @Test
    void takesAllOfTheCurrentContext() {
        Connections.Chosen chosen = Connections.choose(options("", "", ""), Map.of(), CONTEXTS);

        assertThat(chosen.context()).contains("prod");
        assertThat(chosen.connection().server()).hasToString("https://prod.example");
        assertThat(chosen.connection().workspace()).contains("team-a");
        assertThat(chosen.connection().token().map(Token::text)).contains("prod-token");
    }

    @Test
    void prefersOptionsToVariablesAndVariablesToTheContext() {
        Map<String, String> variables = Map.of(
                "MILLRACE_CONTEXT", "test", "MILLRACE_WORKSPACE", "of-variable", "MILLRACE_TOKEN", "variable-token");

        Connection byVariables =
                Connections.choose(options("", "", ""), variables, CONTEXTS).connection();
        Connection byOptions = Connections.choose(options("", "prod", "of-option"), variables, CONTEXTS)
                .connection();

        assertThat(byVariables.server()).hasToString("https://test.example");
        assertThat(byVariables.workspace()).contains("of-variable");
        assertThat(byVariables.token().map(Token::text)).contains("variable-token");
        assertThat(byOptions.server()).hasToString("https://prod.example");
        assertThat(byOptions.workspace()).contains("of-option");
    }

    @Test
    void showsNoOtherServerTheTokenOfAContext() {
        Connection other = Connections.choose(options("https://other.example", "", ""), Map.of(), CONTEXTS)
                .connection();
        Connection byVariable = Connections.choose(
                        options("", "", ""), Map.of("MILLRACE_SERVER", "https://other.example"), CONTEXTS)
                .connection();
        Connection same = Connections.choose(options("HTTPS://Prod.example:443/", "", ""), Map.of(), CONTEXTS)
                .connection();

        assertThat(other.token()).isEmpty();
        assertThat(other.workspace()).isEmpty();
        assertThat(byVariable.token()).isEmpty();
        assertThat(same.token()).isPresent();
    }

    @Test
    void refusesAContextTogetherWithAnotherServer() {
        assertThatThrownBy(() -> Connections.choose(options("https://other.example", "prod", ""), Map.of(), CONTEXTS))
                .hasMessage("The context 'prod' is one of https://prod.example, but you name the server"
                        + " https://other.example, too. Leave one of them out.");
    }

    @Test
    void saysWhichContextsThereAre() {
        assertThatThrownBy(() -> Connections.choose(options("", "prd", ""), Map.of(), CONTEXTS))
                .hasMessage("There is no context 'prd'. There are: prod, test.");
    }

    @Test
    void readsTheTokenFromAFile(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "file-token\n");

        assertThat(Connections.token(Map.of("MILLRACE_TOKEN_FILE", file.toString()))
                        .map(Token::text))
                .contains("file-token");
        assertThatThrownBy(() -> Connections.token(Map.of("MILLRACE_TOKEN_FILE", folder + "/none")))
                .hasMessageContaining("that MILLRACE_TOKEN_FILE names cannot be read");
        assertThatThrownBy(() ->
                        Connections.token(Map.of("MILLRACE_TOKEN_FILE", file.toString(), "MILLRACE_TOKEN", "other")))
                .hasMessageContaining("are both set");
    }

    @Test
    void refusesTextsThatAreNoToken() {
        assertThatThrownBy(() -> Connections.token(Map.of("MILLRACE_TOKEN", "a b\r\nX-Header: 1")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageStartingWith("The token of the variable MILLRACE_TOKEN is empty or holds a space")
                .hasMessageNotContaining("X-Header");
    }

    private static Choice options(String server, String context, String workspace) {
        return new Choice(given(server).map(URI::create), given(context), given(workspace), Optional.empty());
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(value -> !value.isEmpty());
    }

    private static Context context(String server, String workspace, String token) {
        return new Context(URI.create(server), Optional.of(workspace), Optional.of(token), Optional.empty());
    }
}
