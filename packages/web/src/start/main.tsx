import { mount } from "../shared/app/portico-app.tsx";
import { StartPage } from "./start-page.tsx";

mount(<StartPage />);
