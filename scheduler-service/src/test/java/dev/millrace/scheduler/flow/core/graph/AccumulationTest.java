package dev.millrace.scheduler.flow.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccumulationTest {
    @Test
    void putsTheElementsOfTheEarlierInputFirst() {
        assertThat(merged("{\"a\":[1, 2.50],\"b\":[1]}", "{\"b\":[2],\"a\":[3]}"))
                .isEqualTo("{\"b\":[2],\"a\":[1,2.50,3]}");
    }

    @Test
    void treatsAMissingInputAsEmpty() {
        assertThat(merged("{\"a\":[1]}", "{\"b\":2}")).isEqualTo("{\"b\":2,\"a\":[1]}");
        assertThat(merged("{\"a\":[1]}", "{\"a\":null}")).isEqualTo("{\"a\":[1]}");
        assertThat(merged("{}", "{\"a\":[1]}")).isEqualTo("{\"a\":[1]}");
        assertThat(merged("{}", "{}")).isEqualTo("{}");
    }

    @Test
    void treatsASingleValueAsOneElement() {
        assertThat(merged("{\"a\":\"x\"}", "{\"a\":[1]}")).isEqualTo("{\"a\":[\"x\",1]}");
    }

    @Test
    void findsInputsThatCannotBeMerged() {
        assertThat(Accumulation.findUnfit(List.of("a", "b"), new Json("{\"a\":[],\"b\":{}}")))
                .contains("b");
        assertThat(Accumulation.findUnfit(List.of("a", "b"), new Json("{\"a\":null}")))
                .isEmpty();
    }

    private static String merged(String earlier, String later) {
        return Accumulation.merge(List.of("a"), new Json(earlier), new Json(later))
                .text();
    }
}
