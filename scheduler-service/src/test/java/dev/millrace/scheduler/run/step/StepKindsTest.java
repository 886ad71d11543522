package dev.millrace.scheduler.run.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.JobKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StepKindsTest {
    @ParameterizedTest
    @EnumSource
    void areTheSameInTheApi(JobKind kind) {
        assertThat(StepProtos.kind(kind).name()).isEqualTo("KIND_" + kind.name());
    }

    @Test
    void haveCodesOfTheirOwn() {
        assertThat(JobKind.values()).extracting(JobKind::code).doesNotHaveDuplicates();
    }
}
