package dev.millrace.e2e.blob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.PythonProgram;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.MillraceHome;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Blobs pass through handlers in Node.js and Java, each a process with its library as users install it. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class BlobHandlersTest {
    @Test
    void eachLanguageReadsWhatAnotherHasSaved(Installation installation) {
        String address = installation.cluster().schedulerAddress(0);
        String java = MillraceHome.find()
                .path()
                .resolve("e2e-tests/src/test/programs-java/BlobWorker.java")
                .toString();
        try (PythonProgram _ = PythonProgram.startNode(address, "blob_worker.js");
                PythonProgram _ = PythonProgram.startJava(address, java, address)) {
            String said = PythonProgram.run(
                    Map.of("MILLRACE_SCHEDULER_TARGET", address), "e2e-tests/src/test/python/blob_caller.py");

            assertThat(said).isEqualTo("text/x-java 10000010");
        }
    }
}
