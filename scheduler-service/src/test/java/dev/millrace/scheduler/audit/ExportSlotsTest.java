package dev.millrace.scheduler.audit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExportSlotsTest {
    @Test
    void aWorkspaceTakesNoSlotsOfOthers() {
        ExportSlots slots = new ExportSlots();
        Optional<Workspace> acme = Optional.of(Workspace.of("acme"));
        ExportSlots.Slot first = slots.take(acme);
        slots.take(acme);

        assertThatThrownBy(() -> slots.take(acme)).hasMessageContaining("2 times already");
        slots.take(Optional.empty());
        first.close();
        first.close();
        slots.take(acme);
        assertThatThrownBy(() -> slots.take(acme)).hasMessageContaining("2 times already");
    }

    @Test
    void allTogetherAreFew() {
        ExportSlots slots = new ExportSlots();
        for (int export = 0; export < ExportSlots.EXPORTS_MAX; export++) {
            slots.take(Optional.of(Workspace.of("w" + export)));
        }

        assertThatThrownBy(() -> slots.take(Optional.of(Workspace.of("more"))))
                .hasMessageContaining("16 exports of audit events");
    }
}
