/** Vault or OpenBao as a store of values and as a keeper of a key. */
@NullMarked
package dev.millrace.scheduler.secret.vault;

import org.jspecify.annotations.NullMarked;
