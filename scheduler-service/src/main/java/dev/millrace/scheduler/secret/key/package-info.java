/**
 * The keys of secrets. Key-encryption keys are files or keys of Vault. They wrap the keys of workspaces, which lie in the
 * database and encrypt the values.
 */
@NullMarked
package dev.millrace.scheduler.secret.key;

import org.jspecify.annotations.NullMarked;
