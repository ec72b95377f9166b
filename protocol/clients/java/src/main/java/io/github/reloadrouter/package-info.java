/**
 * Publishes pushes to a ReloadRouter.
 *
 * <p>{@link io.github.reloadrouter.Publisher} is the client; {@link
 * io.github.reloadrouter.PublisherOptions} says where the router is and which limits hold.
 */
package io.github.reloadrouter;
