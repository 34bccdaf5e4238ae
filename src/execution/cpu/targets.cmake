saccade_room(cpu RECURSE FOLDER execution/cpu DEPENDS execution)
