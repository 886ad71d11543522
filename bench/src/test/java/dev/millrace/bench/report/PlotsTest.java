package dev.millrace.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.report.BarChart.Bar;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

final class PlotsTest {
    @Test
    void everyPlotIsReadableXml() throws Exception {
        var plots = Plots.of(List.of(
                new Figures("steps")
                        .add("steps_per_second_median", 9_000.0)
                        .add("scheduler_cpu_seconds_per_1000_steps", 0.04),
                new Figures("latency").add("submit_to_start_p50_ms", 1.2)));

        assertThat(plots).containsOnlyKeys("targets", "throughput", "latency", "cpu");
        for (String svg : plots.values()) {
            assertThat(elements(svg, "rect")).isPositive();
        }
    }

    @Test
    void escapesWhatXmlWouldReadAsMarkup() throws Exception {
        String svg = new BarChart("a < b & c", List.of(new Bar("<x>", 1, "1 & 2", BarChart.OURS)), List.of()).svg();

        assertThat(elements(svg, "text")).isEqualTo(3);
    }

    private static int elements(String svg, String name) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                .getElementsByTagName(name)
                .getLength();
    }
}
