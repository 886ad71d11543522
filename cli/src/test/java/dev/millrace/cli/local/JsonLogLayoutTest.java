package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLogLayoutTest {
    private final LoggerContext context = new LoggerContext();

    @Test
    void writesOneObjectALineWhateverTheTextsContain() throws JsonProcessingException {
        LoggingEvent event = new LoggingEvent(
                "test",
                context.getLogger("dev.millrace.Lane"),
                Level.WARN,
                "A job said {}",
                new IllegalStateException("first\nsecond"),
                new Object[] {"a\r\n{\"level\":\"info\"}\u001b[2J"});
        event.setKeyValuePairs(List.of(
                new KeyValuePair("run", "r-1"), new KeyValuePair("items", 3), new KeyValuePair("level", "mine")));
        event.setMDCPropertyMap(java.util.Map.of("trace_id", "4bf9"));

        String line = new JsonLogLayout().doLayout(event);

        assertThat(line).endsWith("}\n").doesNotContain("\r", "\u001b");
        assertThat(line.strip()).doesNotContain("\n");
        JsonNode json = new ObjectMapper().readTree(line);
        assertThat(json.path("level").asText()).isEqualTo("warn");
        assertThat(json.path("level_").asText()).isEqualTo("mine");
        assertThat(json.path("logger").asText()).isEqualTo("dev.millrace.Lane");
        assertThat(json.path("message").asText()).startsWith("A job said a\r\n");
        assertThat(json.path("run").asText()).isEqualTo("r-1");
        assertThat(json.path("trace_id").asText()).isEqualTo("4bf9");
        assertThat(json.path("items").asInt()).isEqualTo(3);
        assertThat(json.path("error").path("message").asText()).isEqualTo("first\nsecond");
        assertThat(json.path("error").path("stack").asText()).contains("IllegalStateException", "\tat ");
    }
}
